import * as p4 from '../../common/p4runtime/generated/p4/v1/p4runtime';
import { bmv2Available } from '../support/bmv2-process';
import * as ext from '../support/p4runtime/externs-updates';
import { RawController } from '../support/p4runtime/raw-controller';
import { bytes } from '../support/p4runtime/sample-updates';
import { describeIf } from '../support/requires';
import { startBmv2Target } from './bmv2-target';
import { startEmbedded } from './embedded-target';
import { foreignClients } from './foreign-clients';
import type { P4RuntimeTarget } from './p4runtime-target';

const { VERIFY_AND_COMMIT } = p4.SetForwardingPipelineConfigRequestAction;

// Longer than starting bmv2 may take, for a test that gives up would leave the process behind.
foreignClients('--compatible bmv2', () => startEmbedded('bmv2'));

describeIf(bmv2Available(), 'bmv2', 'simple_switch_grpc is not on PATH', () => {
  foreignClients('bmv2', startBmv2Target);
});

describe('clients written against bmv2, on a switch that follows the specification', () => {
  let target: P4RuntimeTarget;
  let controller: RawController;
  let logged: string[];

  beforeEach(async () => {
    logged = [];
    target = await startEmbedded('specification', (sentence) => logged.push(sentence));
    controller = new RawController(target.address, target.deviceId);
    await controller.bidAndWait(1n);
  });

  afterEach(async () => {
    controller.close();
    await target.stop();
  });

  test('are told what a packet-out lacks and which flag helps, and the log says it once', async () => {
    await controller.setPipeline(1n, VERIFY_AND_COMMIT, ext.externsConfig());
    const metadata = [new p4.PacketMetadata({ metadataId: 2, value: bytes(0) })];
    const packet = new p4.PacketOut({ payload: Uint8Array.of(1, 2, 3), metadata });
    const reason =
      "packet-out: metadata field 'egress_port' is missing; bmv2 and --compatible bmv2 take it as 0";
    for (let i = 0; i < 2; i++) {
      controller.send(new p4.StreamMessageRequest({ packet }));
      const { error } = await controller.next();
      expect([error.canonicalCode, error.message]).toEqual([3, reason]);
    }
    expect(logged).toEqual([`P4Runtime: refused on a stream: ${reason}`]);
  });

  test('are told which name differs and which flag helps', async () => {
    const config = ext.externsConfig();
    for (const { preamble, matchFields } of config.p4info.tables) {
      if (preamble.id === ext.EXT.smac) for (const field of matchFields) field.name = 'theirs';
    }
    const { code, message } = await controller.setPipeline(1n, VERIFY_AND_COMMIT, config);
    expect([code, message]).toEqual([
      'INVALID_ARGUMENT',
      "table 'ingress.smac', key field 1: name: theirs in P4Info, hdr.ethernet.src_addr in program; " +
        'bmv2 and --compatible bmv2 go by position',
    ]);
  });
});
