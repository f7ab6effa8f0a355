import * as fc from 'fast-check';
import * as p4 from '../../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { electionIdMessage } from '../../../../../common/p4runtime/election-id';
import { MessageWriter } from '../../../../../common/protobuf/message-writer';
import { applyWrite, planRead } from '../../../../../switch/server/batches';
import { Device } from '../../../../../switch/server/device';
import { BatchError } from '../../../../../switch/server/errors/outcomes';
import { setPipelineConfig } from '../../../../../switch/server/pipeline-config';
import { ENTITIES, readBatch, UPDATES, writeBatch } from '../../../../../switch/server/requests';
import { PlainUpdates } from '../../../../../switch/server/tables/plain-updates';
import { withoutPauses } from '../../../../../switch/server/turns/lazily';
import { parted } from '../../../../../switch/server/turns/repeated-field';
import { sampleConfig } from '../../../../conformance/p4runtime-target';
import { EFFORT } from '../../../../support/effort';
import { finish } from '../../../../support/finish';
import * as ext from '../../../../support/p4runtime/externs-updates';
import { readEverything, stateLines } from '../../../../support/p4runtime/full-state';
import { ManualClock } from '../../../../support/p4runtime/manual-clock';
import * as sample from '../../../../support/p4runtime/sample-updates';
import { ServedStateSwitch } from '../../../../support/p4runtime/served-state-switch';

const { INSERT, MODIFY, DELETE } = p4.UpdateType;
const { VERIFY_AND_COMMIT } = p4.SetForwardingPipelineConfigRequestAction;
const PRIMARY = { deviceId: '1', electionId: electionIdMessage(1n) };
const { bytes, ID } = sample;

async function configured(config: p4.ForwardingPipelineConfig): Promise<Device> {
  const [control, clock] = [new ServedStateSwitch(), new ManualClock()];
  const device = new Device({ id: 1n, control, compatible: 'specification', clock });
  const controller = { hasRoomForPacketIn: true, send: () => undefined, end: () => undefined };
  device.roles.bid(controller, '', { electionId: 1n, config: undefined });
  const fields = { ...PRIMARY, config, action: VERIFY_AND_COMMIT };
  const request = new p4.SetForwardingPipelineConfigRequest(fields);
  await setPipelineConfig(new Map([[1n, device]]), request);
  return device;
}

/** Carries out serialized updates in one request; returns the refusals in words. */
function write(device: Device, updates: readonly Uint8Array[]): readonly (string | undefined)[] {
  const writer = new MessageWriter();
  writer.append(new p4.WriteRequest(PRIMARY).serialize());
  for (const update of updates) writer.writeBytes(UPDATES, update);
  const request = writeBatch(parted(writer.getResultBuffer(), UPDATES));
  try {
    finish(applyWrite(new Map([[1n, device]]), request));
  } catch (error) {
    if (!(error instanceof BatchError)) throw error;
    return error.outcomes.first.map((each) => each && `${each.codeName}: ${each.message}`);
  }
  return updates.map(() => undefined);
}

function stateOf(device: Device): readonly string[] {
  const request = readBatch(parted(readEverything(1n).serialize(), ENTITIES));
  const answer = finish(planRead(new Map([[1n, device]]), request));
  return stateLines(withoutPauses(answer.parts()));
}

const serialized = (type: p4.UpdateType, entity: p4.Entity): Uint8Array =>
  new p4.Update({ type, entity }).serialize();

const route = (value: Uint8Array, length: number, fields: object = {}): p4.Entity =>
  sample.entry({
    tableId: ID.route,
    match: [sample.lpm(value, length)],
    action: new p4.TableAction({ actionProfileMemberId: 1 }),
    ...fields,
  });

/** Updates of all kinds that a controller sends, plain and not. */
const SAMPLES: readonly p4.Entity[] = [
  sample.member(1, 1),
  sample.member(2, 2),
  sample.group(1, 1, 2),
  sample.route(1, { member: 1 }),
  sample.route(1, { group: 1 }),
  sample.route(2, { member: 2 }),
  sample.route(3, { member: 9 }),
  sample.portRecord(1, bytes(1)),
  sample.portRecord(300, bytes(1, 2, 3)),
  route(bytes(10, 0, 4, 0), 24, { metadata: bytes(1) }),
  route(bytes(10, 0, 4, 0), 24, { priority: 3 }),
  route(bytes(10, 0, 4, 1), 24),
  route(bytes(0, 0, 0, 0, 10, 0, 5, 0), 24),
  route(bytes(1, 10, 0, 5, 0), 24),
  route(bytes(10, 0, 5, 0), 33),
  route(bytes(), 24),
  sample.entry({ tableId: ID.route, isDefaultAction: true }),
  new p4.Entity({}),
];

/** Bytes of an update, of which some are changed, left out or twice there. */
function updatesOf(entities: readonly p4.Entity[]): fc.Arbitrary<Uint8Array> {
  const whole = fc
    .tuple(fc.constantFrom(INSERT, MODIFY, DELETE), fc.constantFrom(...entities))
    .map(([type, entity]) => serialized(type, entity));
  const damage = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }), fc.nat({ max: 2 }));
  const damaged = fc.tuple(whole, damage).map(([update, [place, value, kind]]) => {
    const at = place % update.length;
    const changed = [Uint8Array.of(value), new Uint8Array(), update.subarray(at)][kind];
    return Uint8Array.from([
      ...update.subarray(0, at),
      ...(changed ?? []),
      ...update.subarray(at + 1),
    ]);
  });
  return fc.oneof({ weight: 3, arbitrary: whole }, { weight: 1, arbitrary: damaged });
}

describe.each([
  ['the sample program', sampleConfig, SAMPLES],
  ['the externs program', ext.externsConfig, ext.EXTERN_ENTITIES],
] as const)('updates of %s that are carried out from their bytes', (_, config, entities) => {
  test('do and say the same as messages', async () => {
    const [quick, slow] = [await configured(config()), await configured(config())];
    jest.spyOn(slow, 'plainUpdates').mockReturnValue(undefined);
    fc.assert(
      fc.property(fc.array(updatesOf(entities), { minLength: 1, maxLength: 40 }), (updates) => {
        expect(write(quick, updates)).toEqual(write(slow, updates));
        expect(stateOf(quick)).toEqual(stateOf(slow));
      }),
      { numRuns: 60 * EFFORT },
    );
  });
});

describe('plain updates', () => {
  let device: Device;
  const isPlain: boolean[] = [];

  beforeEach(async () => {
    device = await configured(sampleConfig());
    isPlain.length = 0;
    const apply = Reflect.get<PlainUpdates, 'apply'>(PlainUpdates.prototype, 'apply');
    jest.spyOn(PlainUpdates.prototype, 'apply').mockImplementation(function (
      this: PlainUpdates,
      ...where
    ) {
      isPlain.push(apply.call(this, ...where));
      return isPlain.at(-1) as boolean;
    });
  });

  afterEach(() => jest.restoreAllMocks());

  const written = (...updates: readonly (readonly [p4.UpdateType, p4.Entity])[]): boolean[] => {
    const refusals = write(
      device,
      updates.map(([type, entity]) => serialized(type, entity)),
    );
    expect(refusals).toEqual(updates.map(() => undefined));
    return isPlain.splice(0);
  };

  test('are members and entries with a key, a priority and an action', () => {
    const [member, other] = [sample.member(1, 1), sample.member(1, 2)];
    const [entry, record] = [sample.route(1, { member: 1 }), sample.portRecord(300, bytes(1, 2))];
    expect(
      written(
        [INSERT, member],
        [MODIFY, other],
        [INSERT, entry],
        [MODIFY, entry],
        [DELETE, entry],
        [DELETE, member],
        [INSERT, record],
        [DELETE, record],
      ),
    ).toEqual(new Array(8).fill(true));
  });

  test('are none with metadata, and none of a table where something has some', () => {
    const noted = route(bytes(10, 0, 4, 0), 24, { metadata: bytes(1) });
    const other = sample.route(1, { member: 1 });
    const updates = [
      [INSERT, sample.member(1, 1)],
      [INSERT, noted],
      [INSERT, other],
      [DELETE, noted],
      [DELETE, other],
    ] as const;
    expect(written(...updates)).toEqual([true, false, false, false, true]);
  });

  test('are none of a controller whose rights have bounds', () => {
    jest.spyOn(device.roles, 'isPrimaryOfAll').mockReturnValue(false);
    expect(written([INSERT, sample.member(1, 1)])).toEqual([]);
  });
});
