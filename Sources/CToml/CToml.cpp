// SPDX-License-Identifier: Apache-2.0
#include "include/CToml.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>

#include "TextCheck.h"

// toml++ asserts things that some malformed texts break, and as an assumption in a release build that would be
// undefined behaviour. Here it is one more way to say that a text is not TOML.
namespace ctoml {
struct broken_assertion {};
}  // namespace ctoml

#undef NDEBUG
#define TOML_ASSERT(expr) ((expr) ? (void)0 : throw ::ctoml::broken_assertion())
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 1
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 32
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

void describe(ctoml_error *error, ctoml_place place, std::string_view words) {
    error->place = place;
    size_t count = std::min(words.size(), sizeof error->description - 1);
    // Not in the middle of a letter.
    while (count < words.size() && count > 0 && (words[count] & 0xC0) == 0x80) count--;
    std::memcpy(error->description, words.data(), count);
    error->description[count] = '\0';
}

bool breaks_assertion(std::string_view text) {
    try {
        (void)toml::parse(text);
    } catch (const ctoml::broken_assertion &) {
        return true;
    } catch (const toml::parse_error &) {
    }
    return false;
}

// Where the parser stumbled, which does not say so itself: behind the shortest beginning of the text on which it
// stumbles already.
ctoml_place stumbling_place(std::string_view text) {
    size_t fine = 0;
    size_t bad = text.size();
    while (bad - fine > 1) {
        const size_t middle = fine + (bad - fine) / 2;
        (breaks_assertion(text.substr(0, middle)) ? bad : fine) = middle;
    }
    return ctoml::place_of(text, bad == 0 ? 0 : bad - 1);
}

}  // namespace

ctoml_document *ctoml_parse(const char *bytes, size_t length, ctoml_error *error) {
    const std::string_view text(bytes, length);
    try {
        if (const auto problem = ctoml::first_problem(text)) {
            describe(error, ctoml::place_of(text, problem->offset), problem->description);
            return nullptr;
        }
        try {
            auto document = std::make_unique<ctoml_document>();
            document->root = toml::parse(text);
            return document.release();
        } catch (const toml::parse_error &problem) {
            describe(error, place(problem.source().begin), problem.description());
        } catch (const ctoml::broken_assertion &) {
            describe(error, stumbling_place(text), "a key or a value was expected here");
        }
    } catch (const std::bad_alloc &) {
        describe(error, {0, 0}, "out of memory");
    } catch (...) {
        describe(error, {0, 0}, "the parser failed");
    }
    return nullptr;
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

#define STRING_(x) #x
#define STRING(x) STRING_(x)

const char *ctoml_version(void) {
    return STRING(TOML_LIB_MAJOR) "." STRING(TOML_LIB_MINOR) "." STRING(TOML_LIB_PATCH);
}
