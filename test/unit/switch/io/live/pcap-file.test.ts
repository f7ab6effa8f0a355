import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { InterfaceCapture } from '../../../../../switch/io/live/pcap-file';

let folder: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hpcc-pcap-'));
});

afterEach(() => fs.rmSync(folder, { recursive: true }));

const read = (name: string): Buffer => fs.readFileSync(path.join(folder, name));

describe('a capture', () => {
  test('has a file for each direction, named as bmv2 names them', () => {
    new InterfaceCapture(folder, 'eth0').close();
    expect(fs.readdirSync(folder).sort()).toEqual(['eth0_in.pcap', 'eth0_out.pcap']);
  });

  test('begins with the header of pcap 2.4 for Ethernet in microseconds', () => {
    new InterfaceCapture(folder, 'eth0').close();
    expect(read('eth0_in.pcap').toString('hex')).toBe(
      'd4c3b2a1' + '0200' + '0400' + '00000000' + '00000000' + 'ffff0000' + '01000000',
    );
  });

  test('holds every frame with its length twice', () => {
    const capture = new InterfaceCapture(folder, 'eth0');
    capture.received.write(Uint8Array.of(1, 2, 3));
    capture.received.write(Uint8Array.of(4));
    capture.close();
    const file = read('eth0_in.pcap');
    expect(file.length).toBe(24 + 16 + 3 + 16 + 1);
    expect(file.subarray(32, 43).toString('hex')).toBe('0300000003000000' + '010203');
    expect(file.subarray(51).toString('hex')).toBe('0100000001000000' + '04');
  });

  test('keeps a frame as it was, though its buffer is used again', () => {
    const capture = new InterfaceCapture(folder, 'eth0');
    const frame = Uint8Array.of(1, 2, 3);
    capture.sent.write(frame);
    frame.fill(9);
    capture.close();
    expect(read('eth0_out.pcap').subarray(40).toString('hex')).toBe('010203');
  });
});

describe('row 8: a capture on a full disk', () => {
  test('loses frames and counts them, and whoever writes it goes on', () => {
    let isFull = false;
    const capture = new InterfaceCapture(folder, 'eth0', (fd, pieces) => {
      if (isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      return fs.writevSync(fd, pieces);
    });
    isFull = true;
    capture.received.write(Uint8Array.of(1, 2, 3));
    capture.flush();
    capture.received.write(Uint8Array.of(4));
    capture.close();
    expect(capture.lost).toBe(2);
    expect(read('eth0_in.pcap')).toHaveLength(24);
  });
});
