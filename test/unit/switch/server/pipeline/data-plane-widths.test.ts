import { parseP4Info } from '../../../../../common/p4runtime/load-p4info';
import * as p4 from '../../../../../common/p4runtime/generated/p4/v1/p4runtime';
import { startP4RuntimeServer } from '../../../../../switch/server/server';
import { compiledProgram, idsOf } from '../../../../support/p4runtime/compiled-program';
import { RawController } from '../../../../support/p4runtime/raw-controller';
import { action, bytes, entry, exact, insert } from '../../../../support/p4runtime/sample-updates';
import { StateSwitch } from '../../../../support/p4runtime/state-switch';
import type { P4RuntimeServer } from '../../../../../switch/server/server';
import type { CallStatus } from '../../../../support/p4runtime/raw-controller';

const { VERIFY_AND_COMMIT } = p4.SetForwardingPipelineConfigRequestAction;
const PROGRAM = compiledProgram('translated');
const id = idsOf(PROGRAM);

/** The P4Info after replacing all matches of a pattern. */
const changed = (from: RegExp, to: string): string => PROGRAM.p4info.replace(from, to);

const toStrings = changed(/sdn_bitwidth: 32/, 'sdn_string {}');

describe('types that are not plain bits', () => {
  let server: P4RuntimeServer;
  let controller: RawController;

  beforeEach(async () => {
    const devices = new Map([[1, new StateSwitch()]]);
    server = await startP4RuntimeServer({ devices, address: '127.0.0.1:0' });
    controller = new RawController(`127.0.0.1:${server.port}`, 1n);
    await controller.bidAndWait(1n);
  });

  afterEach(async () => {
    controller.close();
    await server.stop();
  });

  const push = (p4info: string): Promise<CallStatus> => {
    const config = new p4.ForwardingPipelineConfig({
      p4info: parseP4Info(Buffer.from(p4info), 'text'),
      p4DeviceConfig: Uint8Array.from(Buffer.from(PROGRAM.json)),
    });
    return controller.setPipeline(1n, VERIFY_AND_COMMIT, config);
  };

  /** Outcome of writing the entry that maps a key of one field to a port. */
  const write = async (table: string, key: Uint8Array, port: Uint8Array): Promise<string> => {
    const call = new p4.TableAction({ action: action(id('ingress.forward'), port) });
    const match = [exact(1, key)];
    const entity = entry({ tableId: id(table), match, action: call });
    const { code, elements } = await controller.write(1n, [insert(entity)]);
    return elements?.[0]?.code ?? code;
  };

  test('an object without number and name is refused', async () => {
    const nameless = changed(/actions \{ preamble \{[^}]*\}/, 'actions {');
    expect(await push(nameless)).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  test.each([
    ['a port of the data plane', bytes(3), bytes(1, 255), 'OK'],
    ['a key that the data plane cannot hold', bytes(2, 0), bytes(1), 'OUT_OF_RANGE'],
    ['a parameter that the data plane cannot hold', bytes(3), bytes(2, 0), 'OUT_OF_RANGE'],
  ])('translated to more bits: %s', async (_, key, port, code) => {
    expect(await push(PROGRAM.p4info)).toMatchObject({ code: 'OK' });
    expect(await write('ingress.by_port', key, port)).toBe(code);
  });

  test('errors are keys by their numbers', async () => {
    await push(PROGRAM.p4info);
    expect(await write('ingress.by_error', bytes(1), bytes(2))).toBe('OK');
    const filter = new p4.Entity({
      tableEntry: new p4.TableEntry({ tableId: id('ingress.by_error') }),
    });
    const { responses } = await controller.read([filter]);
    const found = responses.flatMap(({ entities }) => entities);
    expect(found.map(({ tableEntry }) => [...(tableEntry.match[0]?.exact.value ?? [])])).toEqual([
      [1],
    ]);
  });

  test('the P4Info is returned as it was given', async () => {
    await push(PROGRAM.p4info);
    const { ALL } = p4.GetForwardingPipelineConfigRequestResponseType;
    const answer = await controller.getPipeline(ALL);
    const [table] =
      answer instanceof p4.GetForwardingPipelineConfigResponse ? answer.config.p4info.tables : [];
    expect(table?.matchFields[0]?.bitwidth).toBe(32);
  });

  test.each([
    [
      'a key',
      toStrings,
      "table 'ingress.by_port', key field 'meta.port': type 'port_id_t' is translated to strings",
    ],
    [
      'a parameter',
      toStrings.replace(/type_name { name: "port_id_t" }/, ''),
      "action 'ingress.forward', parameter 'port': type 'port_id_t' is translated to strings",
    ],
    [
      'a field of a controller header',
      changed(
        /type_info/,
        'controller_packet_metadata { preamble { id: 9 name: "packet_in" } metadata { id: 1 ' +
          'name: "port" bitwidth: 31 type_name { name: "port_id_t" } } } type_info',
      ),
      "controller header 'packet_in': wanted the whole bytes of the data plane, found 31 bits",
    ],
    [
      'an ordered match',
      changed(/match_type: EXACT/, 'match_type: LPM'),
      "table 'ingress.by_port', key field 1 'meta.port': match kind: lpm in P4Info",
    ],
  ])('%s that cannot be translated is refused with the program', async (_, p4info, message) => {
    expect(p4info).not.toBe(PROGRAM.p4info);
    const status = await push(p4info);
    expect(status.code).toBe('INVALID_ARGUMENT');
    expect(status.message).toContain(message);
  });
});
