import { WireFault } from '../../common/wire/fault';

/** The text of a fault, or "no fault" for bytes that were read. */
export function faultText(parsed: object | number): string {
  return parsed instanceof WireFault ? parsed.toString() : 'no fault';
}
