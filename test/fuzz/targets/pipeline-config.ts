import { RpcError } from '../../../common/p4runtime/codes';
import { electionIdMessage } from '../../../common/p4runtime/election-id';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import { Device } from '../../../switch/server/device';
import { asRpcError } from '../../../switch/server/errors/status';
import { setPipelineConfig } from '../../../switch/server/pipeline-config';
import { parseP4Info } from '../../../common/p4runtime/load-p4info';
import { ManualClock } from '../../support/p4runtime/manual-clock';
import { ServedV1Model } from '../../support/p4runtime/served-v1model';
import { compiledProgram } from '../../support/p4runtime/compiled-program';
import { DocumentEdits } from '../document-edits';
import { withoutNoise } from '../programs';
import { readOrRefused, holds } from '../target';
import type { FuzzTarget } from '../target';

const { json, p4info } = compiledProgram('sample');
const INFO = parseP4Info(Buffer.from(p4info), 'text');
const INFO_BYTES = INFO.serialize();

/**
 * Three bytes say the action, how much of the P4Info is damaged, and how many changes the program
 * has; the changes follow, and then damage of the P4Info: where (two bytes), and with what.
 */
export const target: FuzzTarget = {
  about: 'P4Runtime SetForwardingPipelineConfig: actions, programs and P4Infos that do not fit',
  bytesMax: 48,
  isAsync: true,
  inSuite: 60,
  seeds: () => [1, 2, 3, 4, 5].map((action) => Uint8Array.from([action, 0, 0])),
  start: () => {
    const program = new DocumentEdits(withoutNoise(json));
    return async (input) => {
      const [action = 0, , edits = 0] = input;
      const end = 3 + 4 * (edits % 4);
      const info = damaged(INFO_BYTES, input.subarray(end));
      const text = program.edited(input.subarray(3, end));
      const message = readOrRefused(() => p4InfoOf(info), Error);
      if (message === undefined) return;
      const config = new p4.ForwardingPipelineConfig({
        p4info: message,
        p4DeviceConfig: Uint8Array.from(Buffer.from(text)),
      });
      await pushed(action % 7, config);
    };
  },
};

const p4InfoOf = (bytes: Uint8Array): typeof INFO => {
  const type = INFO.constructor as unknown as { deserialize(bytes: Uint8Array): typeof INFO };
  return type.deserialize(bytes);
};

/** To a device that has a program already, as the primary's second. */
async function pushed(action: number, config: p4.ForwardingPipelineConfig): Promise<void> {
  const device = new Device({
    id: 1n,
    control: new ServedV1Model(),
    compatible: 'specification',
    clock: new ManualClock(),
  });
  const bid = { electionId: 1n, config: undefined };
  device.roles.bid(
    { hasRoomForPacketIn: true, send: () => undefined, end: () => undefined },
    '',
    bid,
  );
  const request = { deviceId: '1', electionId: electionIdMessage(1n), action, config };
  try {
    await setPipelineConfig(
      new Map([[1n, device]]),
      new p4.SetForwardingPipelineConfigRequest(request),
    );
  } catch (error) {
    const { codeName, stack } = asRpcError(error);
    holds(error instanceof RpcError && codeName !== 'INTERNAL', () => `it failed: ${stack}`);
  }
}

function damaged(bytes: Uint8Array, damage: Uint8Array): Uint8Array {
  const copy = bytes.slice();
  for (let at = 0; at + 3 <= damage.length; at += 3) {
    const [high = 0, low = 0, value = 0] = damage.subarray(at, at + 3);
    copy[(256 * high + low) % copy.length] = value;
  }
  return copy;
}
