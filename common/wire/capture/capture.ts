import { WireFault } from '../fault';
import { isPcap, readPcap } from './pcap';
import type { CapturedFrame } from './pcap';
import { isPcapng, readPcapng } from './pcapng';

/** The frames of a capture file of either kind; a fault is the last thing it gives. */
export function* readCapture(file: Uint8Array): Generator<CapturedFrame | WireFault> {
  if (isPcap(file)) yield* readPcap(file);
  else if (isPcapng(file)) yield* readPcapng(file);
  else yield new WireFault('capture', 0, `must start as pcap or pcapng does, found ${start(file)}`);
}

function start(file: Uint8Array): string {
  if (file.length === 0) return 'an empty file';
  const digits = Array.from(file.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0'));
  return digits.join('');
}
