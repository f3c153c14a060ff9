// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLinuxOptions.h"

#include <getopt.h>
#include <stdlib.h>

enum { FIRST_VALUE = 256 };

int detent_next_option(int count, char **words, const detent_option *options, int option_count,
                       bool restart, const char **value, int *next) {
    struct option *table = calloc((size_t)option_count + 1, sizeof *table);
    if (table == NULL) return DETENT_OPTION_UNKNOWN;
    for (int i = 0; i < option_count; i++) {
        table[i].name = options[i].name;
        table[i].has_arg = options[i].takes_value ? required_argument : no_argument;
        table[i].val = FIRST_VALUE + i;
    }
    if (restart) optind = 0;
    opterr = 0;
    int code = getopt_long(count, words, ":", table, NULL);
    free(table);
    *next = optind;
    *value = optarg;
    if (code == -1) return DETENT_OPTION_END;
    if (code >= FIRST_VALUE) return code - FIRST_VALUE;
    int wrong = optind - 1;
    *value = wrong >= 0 && wrong < count ? words[wrong] : "";
    return code == ':' ? DETENT_OPTION_NEEDS_VALUE : DETENT_OPTION_UNKNOWN;
}
