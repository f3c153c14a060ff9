// SPDX-License-Identifier: Apache-2.0

// States, notifications and values are Wire's: whoever imports the client has their members, too.
@_exported public import Wire
