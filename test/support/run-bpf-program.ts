import { anonymousMemory, libc } from '../../common/io/net/libc';

const PROGRAM_TEST = 10;
const ATTRIBUTE_BYTES = 128;

/** Runs a program of the kernel on a frame, without any interface; returns the frame as it leaves it. */
export function runBpfProgram(programFd: number, frame: Uint8Array): Uint8Array {
  const input = anonymousMemory(frame.length);
  const output = anonymousMemory(frame.length);
  input.bytes.set(frame);
  const attributes = new Uint8Array(ATTRIBUTE_BYTES);
  const view = new DataView(attributes.buffer);
  view.setUint32(0, programFd, true);
  view.setUint32(8, frame.length, true);
  view.setUint32(12, frame.length, true);
  view.setBigUint64(16, input.address, true);
  view.setBigUint64(24, output.address, true);
  view.setUint32(32, 1, true);
  try {
    if (libc().bpf(PROGRAM_TEST, attributes, attributes.length) < 0) {
      throw new Error(`running a program: ${libc().strerror(libc().errno())}`);
    }
    return output.bytes.slice(0, frame.length);
  } finally {
    input.release();
    output.release();
  }
}
