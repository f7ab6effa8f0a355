import * as fs from 'node:fs';
import * as path from 'node:path';

const MAGIC_MICROSECONDS = 0xa1b2c3d4;
const SNAP_LENGTH = 65535;
const LINKTYPE_ETHERNET = 1;
const BUFFER_BYTES = 256 * 1024;
const MS_PER_SECOND = 1000;

/** Writes to a file, or throws what the system says; tests hand in their own. */
export type WritePieces = (fd: number, pieces: readonly Uint8Array[]) => number;

/** A capture file of Ethernet frames (pcap 2.4), written in large pieces. */
export class PcapFile {
  readonly #fd: number;
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  #isBroken = false;
  /** Frames that could not be written. */
  lost = 0;
  #frames = 0;

  /** @throws Error of the system when the file cannot be written. */
  constructor(
    file: string,
    private readonly writePieces: WritePieces = fs.writevSync,
  ) {
    this.#fd = fs.openSync(file, 'w');
    const header = new DataView(new ArrayBuffer(24));
    header.setUint32(0, MAGIC_MICROSECONDS, true);
    header.setUint16(4, 2, true);
    header.setUint16(6, 4, true);
    header.setUint32(16, SNAP_LENGTH, true);
    header.setUint32(20, LINKTYPE_ETHERNET, true);
    this.#append(header);
    try {
      this.writePieces(this.#fd, this.#pieces);
    } catch (error) {
      fs.closeSync(this.#fd);
      throw error;
    }
    this.#forget();
  }

  /** Notes a frame with the date and time of now. */
  write(frame: Uint8Array): void {
    if (this.#isBroken) {
      this.lost += 1;
      return;
    }
    this.#frames += 1;
    const now = Date.now();
    const header = new DataView(new ArrayBuffer(16));
    header.setUint32(0, Math.floor(now / MS_PER_SECOND), true);
    header.setUint32(4, (now % MS_PER_SECOND) * 1000, true);
    header.setUint32(8, frame.length, true);
    header.setUint32(12, frame.length, true);
    this.#append(header);
    this.#pieces.push(frame.slice());
    this.#bytes += frame.length;
    if (this.#bytes > BUFFER_BYTES) this.flush();
  }

  /**
   * Writes what is buffered. A file that takes no more, on a full disk, ends there without an
   * error.
   */
  flush(): void {
    if (this.#pieces.length === 0) return;
    try {
      const written = this.writePieces(this.#fd, this.#pieces);
      if (written < this.#bytes) this.#break();
    } catch {
      this.#break();
    }
    this.#forget();
  }

  #break(): void {
    this.#isBroken = true;
    this.lost += this.#frames;
  }

  #forget(): void {
    this.#pieces = [];
    this.#bytes = 0;
    this.#frames = 0;
  }

  close(): void {
    this.flush();
    fs.closeSync(this.#fd);
  }

  #append(header: DataView): void {
    this.#pieces.push(new Uint8Array(header.buffer));
    this.#bytes += header.byteLength;
  }
}

/** Captures of an interface: received and sent frames in a file each, named as bmv2 names them. */
export class InterfaceCapture {
  readonly received: PcapFile;
  readonly sent: PcapFile;

  constructor(folder: string, interfaceName: string, write: WritePieces = fs.writevSync) {
    this.received = new PcapFile(path.join(folder, `${interfaceName}_in.pcap`), write);
    try {
      this.sent = new PcapFile(path.join(folder, `${interfaceName}_out.pcap`), write);
    } catch (error) {
      this.received.close();
      throw error;
    }
  }

  get lost(): number {
    return this.received.lost + this.sent.lost;
  }

  flush(): void {
    this.received.flush();
    this.sent.flush();
  }

  close(): void {
    this.received.close();
    this.sent.close();
  }
}
