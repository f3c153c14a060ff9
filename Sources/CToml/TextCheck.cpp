// SPDX-License-Identifier: Apache-2.0
#include "TextCheck.h"

#include <algorithm>

namespace ctoml {
namespace {

// toml++ makes a table of each part of a dotted key and walks them by recursion, without a limit of its own.
constexpr int most_key_parts = 32;

// The walk needs to be right for TOML only: what comes behind a mistake is never parsed.
class walk {
  public:
    explicit walk(std::string_view text) : text(text) {}

    std::optional<text_problem> run() {
        if (text.substr(0, 3) == "\xEF\xBB\xBF") at = 3;
        while (at < text.size() && !problem) step();
        return problem;
    }

  private:
    const std::string_view text;
    size_t at = 0;
    int parts = 1;
    std::optional<text_problem> problem;

    void step() {
        const char letter = text[at];
        switch (letter) {
            case '#':
                at = std::min(text.find('\n', at), text.size());
                return;
            case '"':
            case '\'':
                skip_string(letter);
                return;
            case '.':
                if (++parts > most_key_parts) problem = {at, "a key of more than 32 parts"};
                break;
            case '\n':
            case '=':
            case ',':
            case '[':
            case '{':
                parts = 1;
                break;
            default:
                if (letter & 0x80) problem = {at, "expected \"quotes\" around letters such as this"};
        }
        at++;
    }

    void skip_string(char quote) {
        const char three[] = {quote, quote, quote};
        const std::string_view fence(three, text.substr(at, 3) == std::string_view(three, 3) ? 3 : 1);
        at += fence.size();
        while (at < text.size() && !problem) {
            if (quote == '"' && text[at] == '\\') {
                skip_escape();
            } else if (text.substr(at, fence.size()) == fence) {
                at += fence.size();
                // One or two more belong to the text itself.
                const size_t end = std::min(at + (fence.size() == 3 ? 2 : 0), text.size());
                while (at < end && text[at] == quote) at++;
                return;
            } else if (fence.size() == 1 && text[at] == '\n') {
                return;
            } else {
                at++;
            }
        }
    }

    void skip_escape() {
        at++;
        if (at < text.size() && (text[at] & 0x80)) {
            problem = {at, "a backslash before a letter that needs none"};
            return;
        }
        if (at < text.size() && !is_space(text[at])) {
            at++;
            return;
        }
        while (at < text.size() && is_space(text[at])) at++;
        // toml++ 3.3 leaves it open whether U+FDF6 to U+FEFE, which begin with this byte, are white space.
        if (at < text.size() && text[at] == '\xEF') {
            problem = {at, "a letter that may not follow a backslash at the end of a line"};
        }
    }

    static bool is_space(char letter) {
        return letter == ' ' || letter == '\t' || letter == '\r' || letter == '\n';
    }
};

}  // namespace

std::optional<text_problem> first_problem(std::string_view text) { return walk(text).run(); }

ctoml_place place_of(std::string_view text, size_t offset) {
    ctoml_place place = {1, 1};
    for (size_t at = 0; at < offset && at < text.size(); at++) {
        if (text[at] == '\n') {
            place.line++;
            place.column = 1;
        } else if ((text[at] & 0xC0) != 0x80) {
            place.column++;
        }
    }
    return place;
}

}  // namespace ctoml
