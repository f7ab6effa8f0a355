import * as fs from 'node:fs';
import { InputError } from '../../../common/errors';
import { CaptureDecoder } from '../../../common/telemetry/decode/decode-capture';
import { telemetryLine } from '../../../common/telemetry/decode/telemetry-line';
import { WireFault } from '../../../common/wire/fault';
import { fixture } from '../../support/paths';
import { formatFrames } from '../../support/wire/format-frames';
import { pcapFile } from '../../support/wire/pcap-file';
import { readOrRefused, holds } from '../target';
import type { FuzzTarget } from '../target';

/** One byte says in pieces of how many bytes the capture arrives; 0 for all at once. */
export const target: FuzzTarget = {
  about: 'pcap and pcapng files through `hpcc decode`, whole and in pieces',
  bytesMax: 1024,
  inSuite: 5_000,
  seeds: () => {
    const frames = formatFrames().map(([, bytes]) => bytes.slice(0, 200));
    const pcaps = frames.map((frame) => pcapFile([frame]));
    const pcapngs = fs
      .readdirSync(fixture('wire'))
      .filter((name) => name.endsWith('.pcapng'))
      .map((name) => fs.readFileSync(fixture('wire', name)).subarray(0, 1000));
    return [...pcaps, ...pcapngs].map((file, i) => Uint8Array.from([i % 3, ...file]));
  },
  start: () => (input) => {
    const [size = 0] = input;
    const file = input.subarray(1);
    const whole = textOf(file, file.length);
    if (size === 0) return;
    const inPieces = textOf(file, size);
    holds(whole === inPieces, () => `in pieces of ${size} bytes:\n${inPieces}\nwhole:\n${whole}`);
  },
};

/** Prints a capture, and how it ends. */
function textOf(file: Uint8Array, size: number): string {
  const decoder = new CaptureDecoder();
  const lines: string[] = [];
  const add = (frames: ReturnType<CaptureDecoder['read']>): void => {
    for (const { frame, time, decoded } of frames) {
      if (decoded instanceof WireFault) lines.push(String(decoded));
      else
        for (const each of decoded.telemetry)
          lines.push(JSON.stringify(telemetryLine(frame, time, decoded, each)));
    }
  };
  const isWhole = readOrRefused(() => {
    for (let at = 0; at < file.length; at += size) add(decoder.read(file.slice(at, at + size)));
    add(decoder.end());
    return true;
  }, InputError);
  return [...lines, isWhole === true ? 'end' : 'refused'].join('\n');
}
