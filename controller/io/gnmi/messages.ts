import { unreachable } from '../../../common/assert';
import { Any } from '../../../common/p4runtime/generated/google/protobuf/any';
import * as gnmi from '../../../common/p4runtime/generated/gnmi/gnmi';
import type { GnmiNotification, GnmiUpdate } from '../../gnmi/notification';
import { joinPaths } from '../../gnmi/path';
import type { GnmiPath } from '../../gnmi/path';
import type { GnmiValue } from '../../gnmi/value';

export function pathMessage({ origin, target, elements }: GnmiPath): gnmi.Path {
  const elem = elements.map(
    ({ name, keys }) => new gnmi.PathElem({ name, key: new Map(Object.entries(keys)) }),
  );
  return new gnmi.Path({ origin, target, elem });
}

/** A path; devices of before gNMI 0.4 name elements without keys. */
export function readPath(message: gnmi.Path): GnmiPath {
  const elements = message.elem.map(({ name, key }) => ({ name, keys: Object.fromEntries(key) }));
  const old = message.element.map((name) => ({ name, keys: {} }));
  const { origin, target } = message;
  return { origin, target, elements: elements.length === 0 ? old : elements };
}

export function updateMessage({ path, value }: GnmiUpdate): gnmi.Update {
  return new gnmi.Update({ path: pathMessage(path), val: valueMessage(value) });
}

/** A notification with every path whole. */
export function readNotification(message: gnmi.Notification): GnmiNotification {
  const prefix = readPath(message.hasPrefix ? message.prefix : EMPTY);
  return {
    timestamp: BigInt(message.timestamp),
    updates: message.update.map((each) => ({
      path: joinPaths(prefix, readPath(each.hasPath ? each.path : EMPTY)),
      value: each.hasVal ? readValue(each.val) : { kind: 'none' },
    })),
    deletes: message.delete.map((each) => joinPaths(prefix, readPath(each))),
  };
}

export function valueMessage(value: GnmiValue): gnmi.TypedValue {
  switch (value.kind) {
    case 'string':
      return new gnmi.TypedValue({ stringVal: value.value });
    case 'ascii':
      return new gnmi.TypedValue({ asciiVal: value.value });
    case 'int':
      return new gnmi.TypedValue({ intVal: String(value.value) });
    case 'uint':
      return new gnmi.TypedValue({ uintVal: String(value.value) });
    case 'bool':
      return new gnmi.TypedValue({ boolVal: value.value });
    case 'bytes':
      return new gnmi.TypedValue({ bytesVal: value.value });
    case 'proto':
      return new gnmi.TypedValue({ protoBytes: value.value });
    case 'double':
      return new gnmi.TypedValue({ doubleVal: value.value });
    case 'leaflist':
      return new gnmi.TypedValue({
        leaflistVal: new gnmi.ScalarArray({ element: value.values.map(valueMessage) }),
      });
    case 'json':
      return new gnmi.TypedValue({ jsonVal: Buffer.from(value.text) });
    case 'json_ietf':
      return new gnmi.TypedValue({ jsonIetfVal: Buffer.from(value.text) });
    case 'any':
      return new gnmi.TypedValue({
        anyVal: new Any({ typeUrl: value.type, value: value.value }),
      });
    case 'float':
      return new gnmi.TypedValue({ floatVal: value.value });
    case 'decimal': {
      const { digits, precision } = value;
      const decimalVal = new gnmi.Decimal64({ digits: String(digits), precision });
      return new gnmi.TypedValue({ decimalVal });
    }
    case 'none':
      return new gnmi.TypedValue({});
    default:
      return unreachable(value);
  }
}

export function readValue(message: gnmi.TypedValue): GnmiValue {
  // A value of a kind that is newer than this client counts as none.
  const kind = message.value ?? 'none';
  switch (kind) {
    case 'stringVal':
      return { kind: 'string', value: message.stringVal };
    case 'asciiVal':
      return { kind: 'ascii', value: message.asciiVal };
    case 'intVal':
      return { kind: 'int', value: BigInt(message.intVal) };
    case 'uintVal':
      return { kind: 'uint', value: BigInt(message.uintVal) };
    case 'boolVal':
      return { kind: 'bool', value: message.boolVal };
    case 'bytesVal':
      return { kind: 'bytes', value: message.bytesVal };
    case 'protoBytes':
      return { kind: 'proto', value: message.protoBytes };
    case 'doubleVal':
      return { kind: 'double', value: message.doubleVal };
    case 'leaflistVal':
      return { kind: 'leaflist', values: message.leaflistVal.element.map(readValue) };
    case 'jsonVal':
      return { kind: 'json', text: Buffer.from(message.jsonVal).toString() };
    case 'jsonIetfVal':
      return { kind: 'json_ietf', text: Buffer.from(message.jsonIetfVal).toString() };
    case 'anyVal':
      return { kind: 'any', type: message.anyVal.typeUrl, value: message.anyVal.value };
    case 'floatVal':
      return { kind: 'float', value: message.floatVal };
    case 'decimalVal': {
      const { digits, precision } = message.decimalVal;
      return { kind: 'decimal', digits: BigInt(digits), precision };
    }
    case 'none':
      return { kind: 'none' };
  }
}

/** A device may leave out the path of the root. */
export const EMPTY = new gnmi.Path();
