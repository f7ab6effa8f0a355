import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import { parseP4Info } from '../../../common/p4runtime/load-p4info';
import { RawController } from './raw-controller';
import { SAMPLE_P4INFO, SAMPLE_PROGRAM } from './sample-program';
import { bytes, groupOf, insert, member, route } from './sample-updates';

const { VERIFY_AND_COMMIT } = p4.SetForwardingPipelineConfigRequestAction;

/** The sample program sends 10.0.1.0/24 to a group of ports 1 and 2, each watched. */
export async function spreadOverTwoPorts(address: string): Promise<void> {
  const controller = new RawController(address, 1n);
  await controller.bidAndWait(1n);
  const config = new p4.ForwardingPipelineConfig({
    p4info: parseP4Info(Buffer.from(SAMPLE_P4INFO), 'text'),
    p4DeviceConfig: Uint8Array.from(Buffer.from(SAMPLE_PROGRAM)),
  });
  await controller.setPipeline(1n, VERIFY_AND_COMMIT, config);
  const members = [1, 2].map((memberId) => {
    const watchPort = bytes(memberId);
    return new p4.ActionProfileGroupMember({ memberId, weight: 1, watchPort });
  });
  const { code } = await controller.write(1n, [
    insert(member(1, 1)),
    insert(member(2, 2)),
    insert(groupOf({ groupId: 1, members })),
    insert(route(1, { group: 1 })),
  ]);
  controller.close();
  if (code !== 'OK') throw new Error(`wanted OK for group and route, found ${code}`);
}

/** A frame of the sample program: Ethernet, its own short IPv4 header, UDP ports. */
export function flow(number: number): Uint8Array {
  const frame = new Uint8Array(60);
  frame.set([2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x08, 0]);
  frame.set([10, 0, 0, number, 10, 0, 1, 1, 17], 14);
  return frame;
}
