import * as fc from 'fast-check';
import * as p4 from '../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { electionIdMessage } from '../../../../common/p4runtime/election-id';
import { Device } from '../../../../switch/server/device';
import type { Devices } from '../../../../switch/server/device';
import { setPipelineConfig } from '../../../../switch/server/pipeline-config';
import { applyWrite, planRead } from '../../../../switch/server/batches';
import { ENTITIES, readBatch, UPDATES, writeBatch } from '../../../../switch/server/requests';
import { withoutPauses } from '../../../../switch/server/turns/lazily';
import { parted } from '../../../../switch/server/turns/repeated-field';
import { finish } from '../../../support/finish';
import { startP4RuntimeServer } from '../../../../switch/server/server';
import { BatchError } from '../../../../switch/server/errors/outcomes';
import { sampleConfig } from '../../../conformance/p4runtime-target';
import * as ext from '../../../support/p4runtime/externs-updates';
import { readEverything, stateLines } from '../../../support/p4runtime/full-state';
import { ManualClock } from '../../../support/p4runtime/manual-clock';
import { RawController } from '../../../support/p4runtime/raw-controller';
import {
  bytes,
  group,
  insert,
  member,
  portRecord,
  route,
} from '../../../support/p4runtime/sample-updates';
import { ServedStateSwitch } from '../../../support/p4runtime/served-state-switch';
import { EFFORT } from '../../../support/effort';

const { VERIFY_AND_COMMIT } = p4.SetForwardingPipelineConfigRequestAction;

/** Number of writes that are tried per program; 10,000 take a minute. */
const WRITES = 100 * EFFORT;

const SAMPLE_SEEDS: readonly p4.Entity[] = [
  member(1, 1),
  group(1, 1),
  route(1, { member: 1 }),
  route(2, { group: 1 }),
  portRecord(1, bytes(1)),
];

/**
 * A well-formed update with some bytes changed: most are refused for something far inside, which
 * random bytes alone would never reach. The ids of this suite are stable, so low bytes matter most.
 */
function malformed(seeds: readonly p4.Entity[]): fc.Arbitrary<p4.Update> {
  const change = fc.record({ at: fc.nat(), value: fc.integer({ min: 0, max: 255 }) });
  const cut = fc.option(fc.nat({ max: 200 }), { nil: undefined, freq: 6 });
  const type = fc.constantFrom(p4.UpdateType.INSERT, p4.UpdateType.MODIFY, p4.UpdateType.DELETE);
  return fc
    .record({
      seed: fc.constantFrom(...seeds),
      changes: fc.array(change, { maxLength: 3 }),
      cut,
      type,
    })
    .map(({ seed, changes, cut: length, type: updateType }) => {
      const encoded = Uint8Array.from(seed.serialize()).slice(0, length);
      for (const { at, value } of changes) {
        if (encoded.length > 0) encoded[at % encoded.length] = value;
      }
      return new p4.Update({ type: updateType, entity: decodable(encoded, seed) });
    });
}

/** Bytes that are no message at all never reach a handler, so the seed itself stands in. */
function decodable(encoded: Uint8Array, seed: p4.Entity): p4.Entity {
  try {
    const entity = p4.Entity.deserialize(encoded);
    entity.serialize();
    return entity;
  } catch {
    return seed;
  }
}

/** A configured device without network, as the handlers see it. */
async function serve(config: p4.ForwardingPipelineConfig): Promise<Devices> {
  const control = new ServedStateSwitch();
  const clock = new ManualClock();
  const device = new Device({ id: 1n, control, compatible: 'specification', clock });
  device.roles.bid({ hasRoomForPacketIn: true, send: () => undefined, end: () => undefined }, '', {
    electionId: 1n,
    config: undefined,
  });
  const devices = new Map([[1n, device]]);
  const request = { deviceId: '1', electionId: electionIdMessage(1n), config };
  const fields = { ...request, action: VERIFY_AND_COMMIT };
  await setPipelineConfig(devices, new p4.SetForwardingPipelineConfigRequest(fields));
  return devices;
}

/** The name of the code of the first update that is refused, or "OK". */
function write(devices: Devices, updates: p4.Update[]): string {
  const fields = { deviceId: '1', electionId: electionIdMessage(1n), updates };
  try {
    finish(
      applyWrite(devices, writeBatch(parted(new p4.WriteRequest(fields).serialize(), UPDATES))),
    );
  } catch (error) {
    if (!(error instanceof BatchError)) throw error;
    return error.outcomes.first.find((each) => each !== undefined)?.codeName ?? 'OK';
  }
  return 'OK';
}

function stateOf(devices: Devices): readonly string[] {
  const answer = finish(
    planRead(devices, readBatch(parted(readEverything(1n).serialize(), ENTITIES))),
  );
  return stateLines(withoutPauses(answer.parts()));
}

describe.each([
  ['the sample program', sampleConfig, SAMPLE_SEEDS],
  ['the externs program', ext.externsConfig, ext.EXTERN_ENTITIES],
] as const)('random malformed writes to %s', (_, config, seeds) => {
  test('are refused without an internal error and without changing anything', async () => {
    const devices = await serve(config());
    expect(write(devices, seeds.map(insert))).not.toBe('INTERNAL');
    let before = stateOf(devices);
    fc.assert(
      fc.property(malformed(seeds), (update) => {
        const code = write(devices, [update]);
        expect(code).not.toBe('INTERNAL');
        const after = stateOf(devices);
        if (code !== 'OK') expect(after).toEqual(before);
        before = after;
      }),
      { numRuns: WRITES },
    );
  }, 600_000);
});

test('random bytes end their call and not the server', async () => {
  const devices = new Map([[1, new ServedStateSwitch()]]);
  const server = await startP4RuntimeServer({ devices, address: '127.0.0.1:0' });
  const controller = new RawController(`127.0.0.1:${server.port}`, 1n);
  await controller.bidAndWait(1n);
  await controller.setPipeline(1n, VERIFY_AND_COMMIT, sampleConfig());
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 64 }), async (noise) => {
      await controller.writeBytes(noise);
      expect((await controller.write(1n, [])).code).toBe('OK');
    }),
    { numRuns: 30 },
  );
  controller.close();
  await server.stop();
});
