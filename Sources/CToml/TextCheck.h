// SPDX-License-Identifier: Apache-2.0
// Looks for what toml++ has no limit for or cannot cope with, before it sees the text.
#ifndef DETENT_CTOML_TEXT_CHECK_H
#define DETENT_CTOML_TEXT_CHECK_H

#include <cstddef>
#include <optional>
#include <string_view>

#include "include/CToml.h"

namespace ctoml {

struct text_problem {
    size_t offset;
    std::string_view description;
};

// The first thing that no text may have, if there is one. TOML forbids it, but for keys of more than 32 parts.
std::optional<text_problem> first_problem(std::string_view text);

// The place of a byte, line and column counted from 1.
ctoml_place place_of(std::string_view text, size_t offset);

}  // namespace ctoml
#endif
