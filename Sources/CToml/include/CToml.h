// SPDX-License-Identifier: Apache-2.0
// toml++ behind a C door: parse a document, then walk its nodes. No exception leaves it.
#ifndef DETENT_CTOML_H
#define DETENT_CTOML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ctoml_document ctoml_document;
typedef struct ctoml_node ctoml_node;

typedef enum {
    CTOML_TABLE,
    CTOML_ARRAY,
    CTOML_STRING,
    CTOML_INTEGER,
    CTOML_FLOAT,
    CTOML_BOOL,
    CTOML_OTHER
} ctoml_kind;

/// A place in the text; line and column count from 1.
typedef struct {
    uint32_t line;
    uint32_t column;
} ctoml_place;

/// What is wrong with a text, and where. The description is cut where it does not fit.
typedef struct {
    ctoml_place place;
    char description[256];
} ctoml_error;

/// The version of toml++ that this was compiled with, such as "3.3.0".
const char *ctoml_version(void);

/// Parses UTF-8 text. Returns NULL and fills `error` where it is not TOML.
ctoml_document *ctoml_parse(const char *text, size_t length, ctoml_error *error);
void ctoml_free(ctoml_document *document);

/// The table of the whole document; it lives as long as the document.
const ctoml_node *ctoml_root(const ctoml_document *document);

ctoml_kind ctoml_node_kind(const ctoml_node *node);
/// Where the value begins.
ctoml_place ctoml_node_begin(const ctoml_node *node);
/// Where the value ends: the place behind its last letter.
ctoml_place ctoml_node_end(const ctoml_node *node);

/// The value of a node of the kind; 0, false or an empty text for another kind.
bool ctoml_bool(const ctoml_node *node);
int64_t ctoml_integer(const ctoml_node *node);
double ctoml_float(const ctoml_node *node);
const char *ctoml_string(const ctoml_node *node, size_t *length);

/// Calls `visit` for each member of a table or element of an array (then with a NULL key), in no order.
void ctoml_visit(const ctoml_node *node, void *context,
                 void (*visit)(void *context, const char *key, size_t key_length,
                               ctoml_place key_place, const ctoml_node *value));

#ifdef __cplusplus
}
#endif
#endif
