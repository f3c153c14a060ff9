// SPDX-License-Identifier: Apache-2.0

extension ProtocolSchema {
  /// The params of all methods: closed, because the server refuses what it does not know.
  static let methodParams: [String: JSONValue] = members(
    #"""
    {
      "subscribe": {
        "properties": {
          "pickers": {
            "type": "array", "items": {"type": "string"},
            "description": "left out: all pickers, also those to come"
          },
          "events": {
            "type": "array", "items": {"$ref": "#/$defs/event"},
            "description": "left out: all but motion, and motion too where motion_hz is given"
          },
          "motion_hz": {"type": "number", "minimum": 0.1, "maximum": 1000}
        }
      },
      "unsubscribe": {}, "list": {}, "devices": {}, "stats": {}, "describe": {}, "reload": {},
      "get": {"required": ["picker"], "properties": {"picker": {"$ref": "#/$defs/picker_id"}}},
      "values": {
        "required": ["picker"],
        "properties": {
          "picker": {"$ref": "#/$defs/picker_id"},
          "from": {"$ref": "#/$defs/index"},
          "count": {"type": "integer", "minimum": 0, "maximum": 1000}
        }
      },
      "select": {
        "required": ["picker"],
        "oneOf": [{"required": ["value"]}, {"required": ["index"]}],
        "properties": {
          "picker": {"$ref": "#/$defs/picker_id"},
          "value": {"$ref": "#/$defs/value_or_null"}, "index": {"$ref": "#/$defs/index"}
        }
      },
      "move": {
        "required": ["picker", "by"],
        "properties": {"picker": {"$ref": "#/$defs/picker_id"}, "by": {"type": "integer"}}
      },
      "remove": {"required": ["picker"], "properties": {"picker": {"$ref": "#/$defs/picker_id"}}},
      "replace": {
        "required": ["pickers"],
        "properties": {"pickers": {"type": "array", "items": {"anyOf": \#(descriptions())}}}
      },
      "display": {
        "required": ["display", "width", "height"],
        "properties": {
          "display": {"type": "string"},
          "width": {"type": "number", "minimum": 1, "maximum": 1e6},
          "height": {"type": "number", "minimum": 1, "maximum": 1e6}
        }
      },
      "focus": {
        "required": ["picker"], "properties": {"picker": {"type": ["string", "null"]}}
      },
      "inhibit": {
        "required": ["on"],
        "properties": {
          "on": {"type": "boolean"},
          "guard_ms": {"type": "number", "minimum": 0, "maximum": 600000},
          "for_ms": {"type": "number", "minimum": 0, "maximum": 1e10}
        }
      },
      "play": {"required": ["cue"], "properties": {"cue": {"$ref": "#/$defs/cue"}}}
    }
    """#
  ).mapValues(closed).merging(changes) { _, new in new }

  private static let changes: [String: JSONValue] = members(
    #"""
    {
      "add": {"anyOf": \#(descriptions(keep: true))},
      "update": {"$ref": "#/$defs/params.add"}
    }
    """#)

  /// The results of all methods.
  static let methodResults: [String: JSONValue] = members(
    #"""
    {
      "subscribe": {
        "type": "object",
        "required": ["pickers", "displays", "devices", "focus", "inhibited", "active", "now_us"],
        "properties": {
          "pickers": {"$ref": "#/$defs/states"},
          "displays": {"type": "array", "items": {"$ref": "#/$defs/display"}},
          "devices": {"$ref": "#/$defs/devices"},
          "focus": {"type": ["string", "null"]}, "inhibited": {"type": "boolean"},
          "active": {"type": "boolean"}, "now_us": {"$ref": "#/$defs/time_us"}
        }
      },
      "unsubscribe": {"$ref": "#/$defs/nothing"},
      "list": {"$ref": "#/$defs/states"},
      "get": {"$ref": "#/$defs/state"},
      "values": {
        "type": "array",
        "items": {
          "type": "object", "required": ["index", "value", "title"],
          "properties": {
            "index": {"$ref": "#/$defs/index"}, "value": {"$ref": "#/$defs/value"},
            "title": {"type": "string"}
          }
        }
      },
      "select": {"$ref": "#/$defs/state"},
      "move": {"$ref": "#/$defs/state"},
      "add": {"$ref": "#/$defs/state"},
      "update": {"$ref": "#/$defs/state"},
      "remove": {"$ref": "#/$defs/nothing"},
      "replace": {"$ref": "#/$defs/states"},
      "display": {"$ref": "#/$defs/nothing"},
      "focus": {"$ref": "#/$defs/nothing"},
      "inhibit": {"$ref": "#/$defs/nothing"},
      "play": {
        "type": "object", "required": ["played"], "properties": {"played": {"type": "boolean"}}
      },
      "devices": {"$ref": "#/$defs/devices"},
      "stats": {
        "type": "object", "required": ["send_delay", "request_time", "connections", "now_us"],
        "properties": {
          "send_delay": {"$ref": "#/$defs/delays"}, "request_time": {"$ref": "#/$defs/delays"},
          "connections": {"type": "array", "items": {
            "type": "object",
            "required": ["client", "pid", "uid", "connected_us", "controls", "subscribed"],
            "properties": {
              "client": {"type": "integer"}, "pid": {"type": "integer"}, "uid": {"type": "integer"},
              "command": {"type": ["string", "null"]}, "connected_us": {"$ref": "#/$defs/time_us"},
              "controls": {"type": "boolean"}, "subscribed": {"type": "boolean"},
              "queued_bytes": {"type": "integer"}
            }
          }},
          "now_us": {"$ref": "#/$defs/time_us"}
        },
        "additionalProperties": {"type": "integer"}
      },
      "describe": {"type": "object", "required": ["$defs", "methods", "notifications"]},
      "reload": {"$ref": "#/$defs/nothing"}
    }
    """#)

  private static func closed(_ schema: JSONValue) -> JSONValue {
    guard case .object(var members) = schema else { return schema }
    members["type"] = .string("object")
    members["additionalProperties"] = .bool(false)
    return .object(members)
  }

  // MARK: Descriptions of pickers

  /// The schemas of what describes a picker, one for each type, as JSON text.
  private static func descriptions(keep: Bool = false) -> String {
    let values = """
      {"anyOf": [\(list), {
        "type": "object", "required": ["from", "through"], "additionalProperties": false,
        "properties": {
          "from": {"type": "number"}, "through": {"type": "number"}, "step": {"type": "number"}
        }
      }]}
      """
    let axis = #""axis": {"enum": ["horizontal", "vertical"]}"#
    let length = #"{"type": "number", "exclusiveMinimum": 0}"#
    let gap = #"{"type": "number", "minimum": 0, "maximum": 1e6}"#
    let tap = #""tap_to_select": {"type": "boolean"}"#
    let types = [
      description("ruler", "values", values, #"\#(axis), \#(tap), "item_width": \#(length)"#, keep),
      description(
        "swatches", "colors", list,
        #"""
        "columns": {"type": "integer", "minimum": 1, "maximum": 10000}, "size": \#(length),
        "spacing": \#(gap)
        """#, keep),
      description(
        "carousel", "items", list,
        #"""
        \#(axis), \#(tap), "padding": \#(gap), "spacing": \#(gap),
        "limit": {"enum": ["automatic", "one", "few", "never"]},
        "tracks_selection": {"type": "boolean"}
        """#, keep),
      description(
        "radial", "values", values,
        #"\#(tap), "mode": {"enum": ["swipe", "rotate"]}, "swipe_threshold": \#(gap)"#, keep),
    ]
    return "[\(types.joined(separator: ",\n"))]"
  }

  private static let list = #"""
    {"type": "array", "minItems": 1, "items": {"anyOf": [
      {"$ref": "#/$defs/value"},
      {
        "type": "object", "required": ["value"], "additionalProperties": false,
        "properties": {"value": {"$ref": "#/$defs/value"}, "title": {"type": "string"}}
      }
    ]}}
    """#

  private static func description(
    _ type: String, _ key: String, _ values: String, _ options: String, _ keep: Bool
  ) -> String {
    #"""
    {
      "type": "object", "required": ["id", "type", "region", "\#(key)"],
      "additionalProperties": false,
      "properties": {
        "id": {"type": "string", "minLength": 1, "maxLength": 256}, "type": {"const": "\#(type)"},
        "display": {"type": "string"}, "region": {"$ref": "#/$defs/region"},
        "\#(key)": \#(values), "selection": {"$ref": "#/$defs/value"},
        "title": {"type": "string", "pattern": "\\{\\}"},
        "enabled": {"type": "boolean"}, "remember": {"type": "boolean"},
        "haptic": {"anyOf": [{"const": "none"}, {"$ref": "#/$defs/cue"}]},
        \#(keep ? "\"keep\": {\"type\": \"boolean\"}," : "")
        \#(options)
      }
    }
    """#
  }
}
