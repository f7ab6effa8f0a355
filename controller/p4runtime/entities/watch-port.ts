import type * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import { decodePort, encodePort } from './wire-values';

/** The field of a member that names the port it depends on, as constructors take it. */
export function encodeWatchPort(
  watchPort: number | undefined,
  what: string,
): { readonly watchPort?: Uint8Array } {
  return watchPort === undefined ? {} : { watchPort: encodePort(watchPort, what) };
}

/** The port that a member depends on; the specification's older form is a plain number. */
export function decodeWatchPort(
  message: p4.ActionProfileAction | p4.ActionProfileGroupMember,
  what: string,
): { readonly watchPort?: number } {
  if (message.hasWatchPort && message.watchPort.length > 0) {
    return { watchPort: decodePort(message.watchPort, what) };
  }
  const older: { readonly hasWatch: boolean; readonly watch: number } = message;
  return older.hasWatch && older.watch !== 0 ? { watchPort: older.watch } : {};
}
