// SPDX-License-Identifier: Apache-2.0

extension ProtocolSchema {
  /// The params of all notifications, by method.
  static let notificationParams: [String: JSONValue] = members(
    #"""
    {
      "hello": {
        "required": ["server", "version", "protocol", "instance", "now_us"],
        "properties": {
          "server": {"const": "detentd"}, "version": {"type": "string"},
          "protocol": {"type": "integer"},
          "instance": {"type": "string", "description": "differs from run to run"},
          "now_us": {"$ref": "#/$defs/time_us"}
        }
      },
      "bye": {
        "required": ["reason", "time_us"],
        "properties": {
          "reason": {"enum": ["shutdown", "limit", "slow", "protocol"]},
          "time_us": {"$ref": "#/$defs/time_us"}
        }
      },
      "resync": {
        "required": ["dropped", "pickers", "focus", "inhibited", "active", "time_us"],
        "properties": {
          "dropped": {"type": "integer", "minimum": 1},
          "pickers": {"$ref": "#/$defs/states"},
          "focus": {"type": ["string", "null"]}, "inhibited": {"type": "boolean"},
          "active": {"type": "boolean"}, "time_us": {"$ref": "#/$defs/time_us"}
        }
      },
      "selection": {
        "required": [
          "picker", "index", "value", "title", "previous", "cause", "revision", "time_us"
        ],
        "properties": {
          "picker": {"$ref": "#/$defs/picker_id"}, "index": {"$ref": "#/$defs/index_or_null"},
          "value": {"$ref": "#/$defs/value_or_null"}, "title": {"type": ["string", "null"]},
          "previous": {"$ref": "#/$defs/value_or_null"}, "cause": {"$ref": "#/$defs/cause"},
          "revision": {"type": "integer", "minimum": 1}, "time_us": {"$ref": "#/$defs/time_us"}
        }
      },
      "tick": {
        "required": ["picker", "index", "value", "time_us"],
        "properties": {
          "picker": {"$ref": "#/$defs/picker_id"}, "index": {"$ref": "#/$defs/index"},
          "value": {"$ref": "#/$defs/value"}, "time_us": {"$ref": "#/$defs/time_us"}
        }
      },
      "motion": {
        "required": [
          "picker", "phase", "offset", "translation", "velocity", "predicted_end_translation",
          "index", "time_us"
        ],
        "properties": {
          "picker": {"$ref": "#/$defs/picker_id"}, "phase": {"$ref": "#/$defs/phase"},
          "offset": {"type": "number"}, "translation": {"type": "number"},
          "velocity": {"type": "number"}, "predicted_end_translation": {"type": "number"},
          "index": {"$ref": "#/$defs/index"}, "time_us": {"$ref": "#/$defs/time_us"}
        }
      },
      "settle": {
        "required": [
          "picker", "index", "value", "offset_from", "offset_to", "velocity", "spring",
          "duration_ms", "time_us"
        ],
        "properties": {
          "picker": {"$ref": "#/$defs/picker_id"}, "index": {"$ref": "#/$defs/index"},
          "value": {"$ref": "#/$defs/value"},
          "offset_from": {"type": "number"}, "offset_to": {"type": "number"},
          "velocity": {"type": "number"},
          "spring": {
            "type": "object", "required": ["duration", "bounce"],
            "properties": {
              "duration": {"type": "number", "description": "seconds"},
              "bounce": {"type": "number"}
            }
          },
          "duration_ms": {"type": "number", "minimum": 0}, "time_us": {"$ref": "#/$defs/time_us"}
        }
      },
      "rest": {
        "required": ["picker", "index", "time_us"],
        "properties": {
          "picker": {"$ref": "#/$defs/picker_id"}, "index": {"$ref": "#/$defs/index"},
          "time_us": {"$ref": "#/$defs/time_us"}
        }
      },
      "press": {
        "required": ["picker", "index", "pressed", "time_us"],
        "properties": {
          "picker": {"$ref": "#/$defs/picker_id"}, "index": {"$ref": "#/$defs/index"},
          "pressed": {"type": "boolean"}, "time_us": {"$ref": "#/$defs/time_us"}
        }
      },
      "direction": {
        "required": ["picker", "direction", "degree", "time_us"],
        "properties": {
          "picker": {"$ref": "#/$defs/picker_id"}, "direction": {"enum": ["left", "right"]},
          "degree": {"type": "number"}, "time_us": {"$ref": "#/$defs/time_us"}
        }
      },
      "focus": {
        "required": ["picker", "time_us"],
        "properties": {
          "picker": {"type": ["string", "null"]}, "time_us": {"$ref": "#/$defs/time_us"}
        }
      },
      "activity": {
        "required": ["active", "resets_in_ms", "time_us"],
        "properties": {
          "active": {"type": "boolean"}, "resets_in_ms": {"type": ["number", "null"]},
          "time_us": {"$ref": "#/$defs/time_us"}
        }
      },
      "inhibit": {
        "required": ["on", "time_us"],
        "properties": {"on": {"type": "boolean"}, "time_us": {"$ref": "#/$defs/time_us"}}
      },
      "picker": {
        "required": ["change", "state", "time_us"],
        "properties": {
          "change": {"$ref": "#/$defs/change"}, "state": {"$ref": "#/$defs/state"},
          "time_us": {"$ref": "#/$defs/time_us"}
        }
      },
      "device": {
        "required": ["change", "device", "time_us"],
        "properties": {
          "change": {"$ref": "#/$defs/change"}, "device": {"$ref": "#/$defs/device"},
          "time_us": {"$ref": "#/$defs/time_us"}
        }
      },
      "display": {
        "required": ["display", "time_us"],
        "properties": {
          "display": {"$ref": "#/$defs/display"}, "time_us": {"$ref": "#/$defs/time_us"}
        }
      },
      "haptic": {
        "required": ["picker", "cue", "played", "time_us"],
        "properties": {
          "picker": {"type": ["string", "null"]}, "cue": {"$ref": "#/$defs/cue"},
          "played": {"type": "boolean"}, "time_us": {"$ref": "#/$defs/time_us"}
        }
      }
    }
    """#
  ).mapValues { schema in
    guard case .object(var members) = schema else { return schema }
    members["type"] = .string("object")
    return .object(members)
  }
}
