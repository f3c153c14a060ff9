// SPDX-License-Identifier: Apache-2.0

extension ProtocolSchema {
  /// What params, results and notifications are made of.
  static let parts: [String: JSONValue] = members(
    #"""
    {
      "value": {"type": ["string", "number"]},
      "value_or_null": {"type": ["string", "number", "null"]},
      "index": {"type": "integer", "minimum": 0},
      "index_or_null": {"type": ["integer", "null"], "minimum": 0},
      "picker_id": {"type": "string", "minLength": 1},
      "time_us": {
        "type": "integer", "minimum": 0, "description": "CLOCK_MONOTONIC, microseconds"
      },
      "cause": {"enum": \#(words(Cause.self))},
      "cue": {"enum": \#(words(Cue.self))},
      "event": {"enum": \#(words(EventName.self))},
      "delays": {
        "type": "object",
        "required": ["count", "sum_us", "half_us", "most_us", "longest_us", "buckets"],
        "properties": {
          "count": {"type": "integer"}, "sum_us": {"type": "integer"},
          "half_us": {"type": "integer", "description": "half of them were at most so long"},
          "most_us": {"type": "integer", "description": "99 of 100 were at most so long"},
          "longest_us": {"type": "integer"},
          "buckets": {
            "type": "array",
            "items": {
              "type": "object", "required": ["below_us", "count"],
              "properties": {"below_us": {"type": "integer"}, "count": {"type": "integer"}}
            },
            "description": "each counts those of the buckets before it too"
          }
        }
      },
      "change": {"enum": \#(words(Change.self))},
      "phase": {"enum": \#(words(PickerPhase.self))},
      "region": {
        "type": "object", "required": ["x", "y", "width", "height"],
        "properties": {
          "x": {"type": "number"}, "y": {"type": "number"},
          "width": {"type": "number", "minimum": 0.001},
          "height": {"type": "number", "minimum": 0.001}
        },
        "description": "in points of the display"
      },
      "glide": {
        "type": "object",
        "required": ["offset_from", "offset_to", "velocity", "started_us", "duration_ms"],
        "properties": {
          "offset_from": {"type": "number"}, "offset_to": {"type": "number"},
          "velocity": {"type": "number"}, "started_us": {"$ref": "#/$defs/time_us"},
          "duration_ms": {"type": "number", "minimum": 0}
        },
        "description": "points and points per second; degrees for a radial picker"
      },
      "state": {
        "type": "object",
        "required": [
          "picker", "type", "display", "region", "enabled", "count", "index", "value", "title",
          "live_index", "phase", "glide", "revision"
        ],
        "properties": {
          "picker": {"$ref": "#/$defs/picker_id"},
          "type": {"enum": ["ruler", "swatches", "carousel", "radial"]},
          "display": {"type": "string"},
          "region": {"$ref": "#/$defs/region"},
          "enabled": {"type": "boolean"},
          "count": {"type": "integer", "minimum": 1},
          "index": {"$ref": "#/$defs/index_or_null"},
          "value": {"$ref": "#/$defs/value_or_null"},
          "title": {"type": ["string", "null"]},
          "live_index": {"$ref": "#/$defs/index"},
          "offset": {"type": "number", "description": "rulers and carousels, in points"},
          "degree": {"type": "number", "description": "radial pickers, not wrapped"},
          "hue": {"type": "number", "minimum": 0, "exclusiveMaximum": 360},
          "pressed": {
            "$ref": "#/$defs/index_or_null", "description": "swatches: the one under a finger"
          },
          "axis": {"enum": \#(words(PickerAxis.self)), "description": "rulers and carousels"},
          "mode": {"enum": \#(words(WheelMode.self)), "description": "radial pickers"},
          "columns": {"type": "integer", "minimum": 1, "description": "swatches in a row"},
          "size": {
            "type": "number", "exclusiveMinimum": 0,
            "description": "the diameter of a swatch, in points"
          },
          "spacing": {
            "type": "number", "minimum": 0,
            "description": "between cards, columns and rows, in points"
          },
          "pitch": {
            "type": "number", "exclusiveMinimum": 0,
            "description": "from one value to the next, in points or degrees; none for swatches"
          },
          "phase": {"$ref": "#/$defs/phase"},
          "glide": {"anyOf": [{"$ref": "#/$defs/glide"}, {"type": "null"}]},
          "revision": {"type": "integer", "minimum": 0}
        }
      },
      "states": {"type": "array", "items": {"$ref": "#/$defs/state"}},
      "display": {
        "type": "object", "required": ["display", "width", "height", "rotation"],
        "properties": {
          "display": {"type": "string"},
          "width": {"type": "number", "exclusiveMinimum": 0},
          "height": {"type": "number", "exclusiveMinimum": 0},
          "rotation": {"enum": [0, 90, 180, 270]}
        }
      },
      "device": {
        "type": "object", "required": ["id", "kind", "name", "node", "path"],
        "properties": {
          "id": {"type": "string"},
          "kind": {"enum": ["touchscreen", "touchpad", "knob", "motor"]},
          "name": {"type": "string"}, "node": {"type": "string"}, "path": {"type": "string"},
          "display": {"type": ["string", "null"]},
          "width_mm": {"type": ["number", "null"]}, "height_mm": {"type": ["number", "null"]},
          "class": {"enum": ["lra", "erm", "on_off", "gamepad", "haptic_pad", null]},
          "method": {"type": ["string", "null"]}, "slots": {"type": ["integer", "null"]},
          "cues": {"type": "array", "items": {"$ref": "#/$defs/cue"}},
          "state": {"enum": ["unused", "probing", "ready", "failed", "closing"]},
          "problem": {"type": ["string", "null"]}
        }
      },
      "devices": {"type": "array", "items": {"$ref": "#/$defs/device"}},
      "nothing": {"type": "object", "additionalProperties": false},
      "id": {"type": ["string", "number", "null"]},
      "error": {
        "type": "object", "required": ["code", "message", "data"],
        "properties": {
          "code": {"type": "integer"}, "message": {"type": "string"},
          "data": {
            "type": "object", "required": ["field", "reason"],
            "properties": {"field": {"type": ["string", "null"]}, "reason": {"type": "string"}}
          }
        }
      },
      "reply": {
        "oneOf": [
          {
            "type": "object", "required": ["jsonrpc", "result", "id"],
            "properties": {
              "jsonrpc": {"const": "2.0"}, "result": true, "id": {"$ref": "#/$defs/id"}
            }
          },
          {
            "type": "object", "required": ["jsonrpc", "error", "id"],
            "properties": {
              "jsonrpc": {"const": "2.0"}, "error": {"$ref": "#/$defs/error"},
              "id": {"$ref": "#/$defs/id"}
            }
          }
        ]
      }
    }
    """#)
}
