import * as fs from 'node:fs';
import { InputError } from '../../../common/errors';
import { readCapture } from '../../../common/wire/capture/capture';
import { WireFault } from '../../../common/wire/fault';
import { PcapFile } from './pcap-file';
import type { CapturedFrame } from '../../../common/wire/capture/records';
import type { FrameHandler } from '../../../common/io/net/packet-ring';
import type { Bytes, PortNumber } from '../../../common/units/units';
import type { DataPort, LivePortCounters } from './data-port';
import type { FrameOrder } from './frame-order';

export interface FilePortOptions {
  readonly port: PortNumber;
  /** Name of the interface, which need not exist. */
  readonly name: string;
  readonly order: FrameOrder;
  /** True once frames may arrive. */
  readonly hasBegun: () => boolean;
}

/**
 * Two capture files as a port, as on bmv2 with `--use-files`: the frames of `<name>_in.pcap` arrive,
 * and those that leave go to `<name>_out.pcap`, both in the working directory.
 */
export class FilePort implements DataPort {
  readonly port: PortNumber;
  readonly interfaceName: string;
  /** Nothing can wait for a file. */
  readonly fd = -1;
  readonly #next: () => Uint8Array | undefined;
  readonly #hasBegun: () => boolean;
  readonly #output: PcapFile;
  /** Frames that may be taken now. */
  readonly #opened: Uint8Array[] = [];
  #received = 0;
  #sent = 0;

  /** @throws InputError when a file cannot be used. */
  constructor({ port, name, order, hasBegun }: FilePortOptions) {
    this.port = port;
    this.interfaceName = name;
    this.#hasBegun = hasBegun;
    const frames = readFrames(`${name}_in.pcap`);
    this.#output = createOutput(`${name}_out.pcap`);
    this.#next = order.add(frames);
  }

  readonly hasDeferredWork = true;

  /** Hands out a frame only if it is the earliest of all ports, so that order is kept. */
  open(limit: number): number {
    while (this.#hasBegun() && this.#opened.length < limit) {
      const frame = this.#next();
      if (frame === undefined) break;
      this.#opened.push(frame);
    }
    return this.#opened.length;
  }

  lengthOf(index: number): Bytes {
    return this.#opened[index]?.length ?? 0;
  }

  take(handle: FrameHandler): void {
    const frame = this.#opened.shift();
    if (frame === undefined) return;
    this.#received += 1;
    handle(frame);
  }

  giveBack(): void {
    return;
  }

  send(frame: Uint8Array): void {
    this.#output.write(frame);
    this.#sent += 1;
  }

  /** Writes frames to the file at once, so that a reader finds the last one. */
  flush(): void {
    this.#output.flush();
  }

  doDeferredWork(): void {
    this.flush();
  }

  counters(): LivePortCounters {
    const nothingLost = { overflowed: 0, oversized: 0, sendFailed: 0 };
    return { received: this.#received, sent: this.#sent, ...nothingLost };
  }

  close(): void {
    this.#output.close();
  }
}

function readFrames(file: string): CapturedFrame[] {
  let bytes: Uint8Array;
  try {
    bytes = fs.readFileSync(file);
  } catch (error) {
    throw new InputError(`--use-files: ${file} cannot be read: ${(error as Error).message}`);
  }
  return [...readCapture(bytes)].map((frame) => {
    if (frame instanceof WireFault)
      throw new InputError(`--use-files: ${file}: ${frame.toString()}`);
    return frame;
  });
}

function createOutput(file: string): PcapFile {
  try {
    return new PcapFile(file);
  } catch (error) {
    throw new InputError(`--use-files: ${file} cannot be written: ${(error as Error).message}`);
  }
}
