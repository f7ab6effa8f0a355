import * as fs from 'node:fs';
import * as path from 'node:path';

const MAGIC_MICROSECONDS = 0xa1b2c3d4;
const SNAP_LENGTH = 65535;
const LINKTYPE_ETHERNET = 1;
const BUFFER_BYTES = 256 * 1024;
const MS_PER_SECOND = 1000;

/** A capture file of Ethernet frames (pcap 2.4), written in large pieces. */
export class PcapFile {
  readonly #fd: number;
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  /** @throws Error of the system when the file cannot be written. */
  constructor(file: string) {
    this.#fd = fs.openSync(file, 'w');
    const header = new DataView(new ArrayBuffer(24));
    header.setUint32(0, MAGIC_MICROSECONDS, true);
    header.setUint16(4, 2, true);
    header.setUint16(6, 4, true);
    header.setUint32(16, SNAP_LENGTH, true);
    header.setUint32(20, LINKTYPE_ETHERNET, true);
    this.#append(header);
    this.flush();
  }

  /** Notes a frame with the date and time of now. */
  write(frame: Uint8Array): void {
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

  flush(): void {
    if (this.#pieces.length > 0) fs.writevSync(this.#fd, this.#pieces);
    this.#pieces = [];
    this.#bytes = 0;
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

/** What an interface receives and sends, each in a file of its own, named as bmv2 names them. */
export class InterfaceCapture {
  readonly received: PcapFile;
  readonly sent: PcapFile;

  constructor(folder: string, interfaceName: string) {
    this.received = new PcapFile(path.join(folder, `${interfaceName}_in.pcap`));
    this.sent = new PcapFile(path.join(folder, `${interfaceName}_out.pcap`));
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
