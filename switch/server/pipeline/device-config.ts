import { RpcError } from '../../../common/p4runtime/codes';
import { MessageReader } from '../../../common/protobuf/message-reader';

const DEVICE_DATA = 3;

/** Tags that a p4.tmp.P4DeviceConfig can begin with: reassign, extras, device_data. */
const FIRST_TAGS: readonly (number | undefined)[] = [0x08, 0x12, 0x1a];

/**
 * The BMv2 JSON of a `p4_device_config`: the JSON itself, or a p4.tmp.P4DeviceConfig around it, which is
 * how bmv2 took it before P4Runtime 1.0 and still does; the p4lang tutorials send that.
 * @throws RpcError INVALID_ARGUMENT when there is none.
 */
export function bmv2Json(config: Uint8Array): string {
  if (config.length === 0) {
    throw new RpcError('INVALID_ARGUMENT', 'p4_device_config is empty; it is the BMv2 JSON');
  }
  const json = FIRST_TAGS.includes(config[0]) ? deviceData(config) : config;
  return textOf(json);
}

/** Latest input and its result. */
let latest = { bytes: new Uint8Array(0), text: '' };

/**
 * Text of a device config. PERF: remembered, as several calls per switch need it, and a fabric has
 * one program.
 */
function textOf(bytes: Uint8Array): string {
  if (Buffer.compare(bytes, latest.bytes) !== 0) {
    const copy = Buffer.from(bytes);
    latest = { bytes: copy, text: copy.toString('utf8') };
  }
  return latest.text;
}

function deviceData(config: Uint8Array): Uint8Array {
  const found = lastDeviceData(config);
  if (found !== undefined) return found;
  const wanted = 'the BMv2 JSON, or a p4.tmp.P4DeviceConfig with it as device_data';
  throw new RpcError('INVALID_ARGUMENT', `p4_device_config is not ${wanted}`);
}

function lastDeviceData(config: Uint8Array): Uint8Array | undefined {
  let found: Uint8Array | undefined;
  try {
    const reader = new MessageReader(config);
    while (reader.nextField()) {
      if (reader.field === DEVICE_DATA) found = reader.readBytes();
      else reader.skipField();
    }
  } catch {
    // The reader throws at whatever is no protobuf message.
    return undefined;
  }
  return found;
}
