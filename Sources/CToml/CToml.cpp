// SPDX-License-Identifier: Apache-2.0
#include "include/CToml.h"

#include <cstring>
#include <new>
#include <string_view>

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

struct ctoml_document {
    toml::table root;
};

namespace {

const toml::node *unwrap(const ctoml_node *node) {
    return reinterpret_cast<const toml::node *>(node);
}

const ctoml_node *wrap(const toml::node *node) {
    return reinterpret_cast<const ctoml_node *>(node);
}

ctoml_place place(const toml::source_position &position) {
    return {position.line, position.column};
}

}  // namespace

ctoml_document *ctoml_parse(const char *text, size_t length, ctoml_error *error) {
    auto result = toml::parse(std::string_view(text, length));
    if (!result) {
        const auto &problem = result.error();
        error->place = place(problem.source().begin);
        const auto words = problem.description();
        const size_t count = std::min(words.size(), sizeof error->description - 1);
        std::memcpy(error->description, words.data(), count);
        error->description[count] = '\0';
        return nullptr;
    }
    auto *document = new (std::nothrow) ctoml_document;
    if (document == nullptr) {
        error->place = {0, 0};
        std::strcpy(error->description, "out of memory");
        return nullptr;
    }
    document->root = std::move(result).table();
    return document;
}

void ctoml_free(ctoml_document *document) { delete document; }

const ctoml_node *ctoml_root(const ctoml_document *document) { return wrap(&document->root); }

ctoml_kind ctoml_node_kind(const ctoml_node *node) {
    switch (unwrap(node)->type()) {
        case toml::node_type::table: return CTOML_TABLE;
        case toml::node_type::array: return CTOML_ARRAY;
        case toml::node_type::string: return CTOML_STRING;
        case toml::node_type::integer: return CTOML_INTEGER;
        case toml::node_type::floating_point: return CTOML_FLOAT;
        case toml::node_type::boolean: return CTOML_BOOL;
        default: return CTOML_OTHER;
    }
}

ctoml_place ctoml_node_begin(const ctoml_node *node) {
    return place(unwrap(node)->source().begin);
}

ctoml_place ctoml_node_end(const ctoml_node *node) { return place(unwrap(node)->source().end); }

bool ctoml_bool(const ctoml_node *node) {
    const auto *value = unwrap(node)->as_boolean();
    return value != nullptr && value->get();
}

int64_t ctoml_integer(const ctoml_node *node) {
    const auto *value = unwrap(node)->as_integer();
    return value == nullptr ? 0 : value->get();
}

double ctoml_float(const ctoml_node *node) {
    const auto *value = unwrap(node)->as_floating_point();
    return value == nullptr ? 0 : value->get();
}

const char *ctoml_string(const ctoml_node *node, size_t *length) {
    const auto *value = unwrap(node)->as_string();
    *length = value == nullptr ? 0 : value->get().size();
    return value == nullptr ? "" : value->get().c_str();
}

void ctoml_visit(const ctoml_node *node, void *context,
                 void (*visit)(void *context, const char *key, size_t key_length,
                               ctoml_place key_place, const ctoml_node *value)) {
    if (const auto *table = unwrap(node)->as_table()) {
        for (auto &&[key, value] : *table) {
            visit(context, key.str().data(), key.str().size(), place(key.source().begin),
                  wrap(&value));
        }
    } else if (const auto *array = unwrap(node)->as_array()) {
        for (auto &&value : *array) {
            visit(context, nullptr, 0, ctoml_place{0, 0}, wrap(&value));
        }
    }
}
