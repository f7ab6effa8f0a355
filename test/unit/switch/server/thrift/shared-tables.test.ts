import * as p4 from '../../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { standardTypes } from '../../../../../common/thrift/generated-code';
import { fromInt64 } from '../../../../../switch/server/thrift/int64';
import { sampleConfig } from '../../../../conformance/p4runtime-target';
import { RawController } from '../../../../support/p4runtime/raw-controller';
import {
  action,
  bytes,
  entry,
  exact,
  forward,
  ID,
  insert,
  member,
  portRecord,
  route,
} from '../../../../support/p4runtime/sample-updates';
import { startedSwitch } from '../../../../support/started-switch';
import { connectThrift } from '../../../../support/thrift-clients';
import type { RunningSwitch } from '../../../../../switch/io/start-switch';
import type { ThriftClients } from '../../../../support/thrift-clients';

const { ExactMatch, FieldMatch, MatchKind, SwapError, TableError } = standardTypes;
const { EntryOptions } = standardTypes;
const RECORDS = 'egress.port_record';
const ECMP = 'ingress.route.ecmp';

describe('tables between P4Runtime and Thrift', () => {
  let running: RunningSwitch;
  let controller: RawController;
  let thrift: ThriftClients;

  beforeEach(async () => {
    running = await startedSwitch(['--no-p4', '--device-id', '1']);
    controller = new RawController(`127.0.0.1:${running.grpcPort}`, 1n);
    thrift = connectThrift(running.thriftPort ?? 0);
    await controller.bidAndWait(1n);
    const { VERIFY_AND_COMMIT } = p4.SetForwardingPipelineConfigRequestAction;
    expect((await controller.setPipeline(1n, VERIFY_AND_COMMIT, sampleConfig())).code).toBe('OK');
  });

  afterEach(async () => {
    thrift.close();
    controller.close();
    await running.stop();
  });

  const read = async (filter: p4.Entity): Promise<p4.Entity[]> => {
    const { responses } = await controller.read([filter]);
    return responses.flatMap(({ entities }) => entities);
  };

  const keyOf = (port: number): InstanceType<typeof FieldMatch>[] => [
    new FieldMatch({
      kind: MatchKind.EXACT,
      exact: new ExactMatch({ value: Buffer.from([0, port]) }),
    }),
  ];

  const code = (value: number): object => expect.objectContaining({ code: value }) as object;

  test('an entry of Thrift is read by P4Runtime', async () => {
    const handle = await thrift.standard.bm_mt_add_entry(
      0,
      RECORDS,
      keyOf(5),
      'egress.set_record',
      [Buffer.from([0, 0, 1, 2])],
      new EntryOptions({}),
    );
    const [found] = await read(entry({ tableId: ID.portRecord }));
    expect([...(found?.tableEntry.match[0]?.exact.value ?? [])]).toEqual([5]);
    expect([...(found?.tableEntry.action.action.params[0]?.value ?? [])]).toEqual([1, 2]);
    await thrift.standard.bm_mt_delete_entry(0, RECORDS, handle);
    expect(await read(entry({ tableId: ID.portRecord }))).toEqual([]);
  });

  test('an entry of P4Runtime is read by Thrift, and its metadata do not outlive it', async () => {
    const record = portRecord(7, bytes(9));
    record.tableEntry.metadata = bytes(1, 2);
    await controller.write(1n, [insert(record)]);
    const { standard } = thrift;
    const found = await standard.bm_mt_get_entry_from_key(
      0,
      RECORDS,
      keyOf(7),
      new EntryOptions({}),
    );
    expect(found.action.name).toBe('egress.set_record');
    expect(fromInt64(await standard.bm_mt_get_num_entries(0, RECORDS))).toBe(1n);
    await standard.bm_mt_delete_entry(0, RECORDS, found.handle);
    await standard.bm_mt_add_entry(
      0,
      RECORDS,
      keyOf(7),
      'egress.no_record',
      [],
      new EntryOptions({}),
    );
    const [again] = await read(entry({ tableId: ID.portRecord }));
    expect([...(again?.tableEntry.metadata ?? [1])]).toEqual([]);
  });

  test('members and groups are the same objects, one apart in their numbers', async () => {
    await controller.write(1n, [insert(member(1, 1)), insert(member(2, 2))]);
    const { standard } = thrift;
    const members = await standard.bm_mt_act_prof_get_members(0, ECMP);
    expect(members.map(({ handle }) => handle)).toEqual([0, 1]);
    const group = await standard.bm_mt_act_prof_create_group(0, ECMP);
    await standard.bm_mt_act_prof_add_member_to_group(0, ECMP, 1, group);
    const [found] = await read(
      new p4.Entity({ actionProfileGroup: new p4.ActionProfileGroup({}) }),
    );
    const { groupId, members: shares } = found?.actionProfileGroup ?? { groupId: 0, members: [] };
    expect([groupId, shares.map(({ memberId }) => memberId)]).toEqual([group + 1, [2]]);
    expect((await controller.write(1n, [insert(route(3, { group: groupId }))])).code).toBe('OK');
    await expect(standard.bm_mt_act_prof_delete_group(0, ECMP, group)).rejects.toEqual(
      code(TableError.GROUP_IN_USE),
    );
  });

  test('profiles that P4Runtime fills in one shot are left alone', async () => {
    const actionProfileActions = [new p4.ActionProfileAction({ action: forward(1), weight: 1 })];
    const set = new p4.ActionProfileActionSet({ actionProfileActions });
    const one = route(1, { member: 1 });
    one.tableEntry.action = new p4.TableAction({ actionProfileActionSet: set });
    expect((await controller.write(1n, [insert(one)])).code).toBe('OK');
    await expect(thrift.standard.bm_mt_act_prof_create_group(0, ECMP)).rejects.toEqual(
      code(TableError.FAILED),
    );
    const [found] = await thrift.standard.bm_mt_get_entries(0, 'ingress.route.ipv4_route');
    await thrift.standard.bm_mt_indirect_delete_entry(
      0,
      'ingress.route.ipv4_route',
      found?.handle ?? -1,
    );
    expect(await thrift.standard.bm_mt_act_prof_get_members(0, ECMP)).toEqual([]);
  });

  test('initial entries are open to both once P4Info has said so', async () => {
    const { standard } = thrift;
    const [first] = await standard.bm_mt_get_entries(0, 'ingress.marks');
    await standard.bm_mt_delete_entry(0, 'ingress.marks', first?.handle ?? -1);
    const left = await read(entry({ tableId: ID.marks }));
    expect(left.map(({ tableEntry }) => tableEntry.match[0]?.exact.value[0])).toEqual([9]);
    await expect(standard.bm_mt_delete_entry(0, 'ingress.classes', 0)).rejects.toEqual(
      code(TableError.FIXED_ENTRIES),
    );
  });

  test('the program of a controller is not swapped, and a reset of state reaches P4Runtime', async () => {
    const { standard } = thrift;
    const disabled = code(SwapError.DISABLED);
    await expect(standard.bm_load_new_config('{}')).rejects.toEqual(disabled);
    await expect(standard.bm_swap_configs()).rejects.toEqual(disabled);
    const own = entry({
      tableId: ID.seed,
      isDefaultAction: true,
      action: new p4.TableAction({ action: action(ID.setSeed, bytes(7)) }),
    });
    const modified = new p4.Update({ type: p4.UpdateType.MODIFY, entity: own });
    await controller.write(1n, [insert(portRecord(1, bytes(1))), modified]);
    await standard.bm_reset_state();
    expect(await read(entry({ tableId: ID.portRecord }))).toEqual([]);
    const marks = entry({ tableId: ID.marks, match: [exact(1, bytes(9))] });
    expect(await read(marks)).toHaveLength(1);
    expect((await controller.write(1n, [insert(portRecord(1, bytes(1)))])).code).toBe('OK');
  });
});
