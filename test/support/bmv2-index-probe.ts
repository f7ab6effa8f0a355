// Asks the bmv2 on PATH whether it checks indices.
// Run by bmv2-index-checks.ts in a process of its own, because suites are defined synchronously.
import { Bmv2Dataplane } from '../../switch/io/bmv2/dataplane';
import { startBmv2 } from '../../switch/io/bmv2/process';
import { CHECKS, DOES_NOT_CHECK } from './bmv2-index-checks';
import { programJsonPath } from '../p4/support/test-programs';

const UNKNOWN = 2;

/** Whatever it does with the packet, it does it sooner. */
const ANSWER_MS = 3000;

const PORT = 0;

/** A packet of registers.p4 that changes nothing, and one that reads cell 65535 of 4 into a field. */
const IDLE = Uint8Array.from([0, 0, 0, 0, 0, 0x77, 0x77]);
const READS_OUTSIDE = Uint8Array.from([2, 0xff, 0xff, 0, 0, 0x77, 0x77]);

async function probe(): Promise<number> {
  const bmv2 = await startBmv2(1, programJsonPath('registers'));
  const dataplane = new Bmv2Dataplane(bmv2.dataplane, bmv2.deviceId);
  const comesOutUnchanged = async (bytes: Uint8Array): Promise<boolean> => {
    dataplane.send({ port: PORT, bytes });
    const answer = await dataplane.receive(ANSWER_MS);
    return answer !== undefined && Buffer.from(answer.bytes).equals(bytes);
  };
  try {
    if (!(await comesOutUnchanged(IDLE))) return UNKNOWN;
    return (await comesOutUnchanged(READS_OUTSIDE)) ? CHECKS : DOES_NOT_CHECK;
  } finally {
    dataplane.close();
    await bmv2.stop();
  }
}

void probe().then((status) => {
  process.exitCode = status;
});
