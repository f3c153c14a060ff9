// SPDX-License-Identifier: Apache-2.0
// getopt_long without its global variables.
#ifndef DETENT_CLINUX_OPTIONS_H
#define DETENT_CLINUX_OPTIONS_H

#include <stdbool.h>

typedef struct {
    const char *name;
    bool takes_value;
} detent_option;

typedef enum {
    DETENT_OPTION_END = -1,
    DETENT_OPTION_UNKNOWN = -2,
    DETENT_OPTION_NEEDS_VALUE = -3
} detent_option_result;

/// Reads the next option of a command line whose first word is skipped. Operands are moved behind the options.
///
/// Returns the index of the option, or one of the results. `value` is its value, or the word that is wrong;
/// `next` the index of the first word that is not read yet. `restart` begins a new command line.
int detent_next_option(int count, char **words, const detent_option *options, int option_count,
                       bool restart, const char **value, int *next);

#endif
