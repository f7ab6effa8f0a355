import {
  Server,
  ServerCredentials,
  credentials,
  makeGenericClientConstructor,
} from '@grpc/grpc-js';
import type {
  ServiceDefinition,
  handleBidiStreamingCall,
  handleServerStreamingCall,
  handleUnaryCall,
} from '@grpc/grpc-js';
import { leafWidths } from '../../../common/p4runtime/data-type';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import { P4InfoIndex } from '../../../common/p4runtime/p4info';
import type { ActionInfo, ActionProfileInfo, TableInfo } from '../../../common/p4runtime/p4info';
import { startP4RuntimeServer } from '../../../switch/server/server';
import type { P4RuntimeServer } from '../../../switch/server/server';
import { ServedStateSwitch } from '../p4runtime/served-state-switch';

type Json = Readonly<Record<string, unknown>>;

/**
 * BMv2 JSON with all that a P4Info declares, and no packet processing: what a switch of state alone
 * needs to stand in for a target whose compiled program only that target reads.
 */
function programOfP4Info(info: P4InfoIndex): string {
  const actions = new Map(info.actions.all.map((action, id) => [action.name, id]));
  const tables = info.tables.all.map((table) => tableOf(info, table, actions));
  return JSON.stringify({
    __meta__: { version: [2, 23], compiler: 'none' },
    header_types: [{ name: 'scalars_t', fields: keyFields(info) }],
    headers: [{ name: 'scalars', id: 0, header_type: 'scalars_t', metadata: true }],
    parsers: [{ name: 'parser', init_state: 'start', parse_states: [START] }],
    deparsers: [{ name: 'deparser', order: [] }],
    actions: info.actions.all.map((action, id) => actionOf(action, id)),
    pipelines: [
      pipeline('ingress', tables, info.actionProfiles.all.map(profileOf)),
      pipeline('egress', [], []),
    ],
    counter_arrays: info.counters.all.map(({ name, size }) => ({ name, size, is_direct: false })),
    register_arrays: info.registers.all.map(({ name, size, dataType }) => {
      const [bitwidth] = dataType.kind === 'unsupported' ? [] : leafWidths(dataType);
      return { name, size, bitwidth };
    }),
  });
}

const START = {
  name: 'start',
  parser_ops: [],
  transition_key: [],
  transitions: [{ type: 'default', value: null, mask: null, next_state: null }],
};

const pipeline = (name: string, tables: readonly Json[], profiles: readonly Json[]): Json => ({
  name,
  init_table: null,
  tables,
  action_profiles: profiles,
  conditionals: [],
});

const actionOf = ({ name, parameters }: ActionInfo, id: number): Json => ({
  name,
  id,
  primitives: [],
  runtime_data: parameters.all.map((each) => ({ name: each.name, bitwidth: each.width })),
});

const profileOf = ({ name, size, withSelector }: ActionProfileInfo): Json => ({
  name,
  max_size: size,
  ...(withSelector && { selector: { algo: 'crc16', input: [] } }),
});

/** Every key of every table is a field of its own. */
const keyName = (table: string, key: string): string => `${table}|${key}`;

function keyFields(info: P4InfoIndex): (readonly [string, number, boolean])[] {
  const fields = info.tables.all.flatMap(({ name: table, matchFields }) =>
    matchFields.all.map(({ name, width }) => [keyName(table, name), width, false] as const),
  );
  const bits = fields.reduce((sum, [, width]) => sum + width, 0);
  return [...fields, ['_padding', 8 - (bits % 8), false] as const];
}

function tableOf(info: P4InfoIndex, table: TableInfo, ids: ReadonlyMap<string, number>): Json {
  const key = table.matchFields.all.map(({ name, matchKind }) => ({
    name,
    match_type: matchKind,
    target: ['scalars', keyName(table.name, name)],
  }));
  const names = table.actions.all.map(({ name }) => name);
  const kinds = table.matchFields.all.map(({ matchKind }) => matchKind);
  const profile = info.actionProfiles.byNumber(table.actionProfileId ?? 0);
  const type = profile === undefined ? 'simple' : profile.withSelector ? 'indirect_ws' : 'indirect';
  return {
    name: table.name,
    key,
    type,
    max_size: table.size,
    match_type: (['ternary', 'range', 'lpm'] as const).find((k) => kinds.includes(k)) ?? 'exact',
    actions: names,
    action_ids: names.map((name) => ids.get(name)),
    base_default_next: null,
    next_tables: {},
    ...(profile !== undefined && { action_profile: profile.name }),
    ...defaultOf(info, table, ids),
  };
}

function defaultOf(info: P4InfoIndex, table: TableInfo, ids: ReadonlyMap<string, number>): Json {
  const { initialDefault: call, constDefault } = table;
  if (call === undefined) return {};
  const data = call.arguments.map(({ value }) => `0x${Buffer.from(value).toString('hex')}`);
  const name = info.actions.byNumber(call.actionId)?.name ?? '';
  return {
    default_entry: {
      action_id: ids.get(name),
      action_data: data,
      action_const: constDefault,
      action_entry_const: constDefault,
    },
  };
}

/**
 * Our P4Runtime server posing as Stratum on Tofino: it takes that target's device configuration,
 * keeps it as it came, and has the tables that the P4Info with it declares. All other calls go
 * through to a server of switches of state alone, byte for byte.
 */
export class TofinoTarget {
  /** The device configuration of each device, as it came. */
  readonly configs = new Map<string, Uint8Array>();

  private constructor(
    readonly devices: readonly ServedStateSwitch[],
    private readonly behind: P4RuntimeServer,
    private readonly front: Server,
    readonly address: string,
  ) {}

  /** Devices 1 to `count`, behind one address. */
  static async start(count: number): Promise<TofinoTarget> {
    const devices = Array.from({ length: count }, () => new ServedStateSwitch());
    const behind = await startP4RuntimeServer({
      devices: new Map(devices.map((device, i) => [i + 1, device])),
      address: '127.0.0.1:0',
    });
    const front = new Server({ 'grpc.max_receive_message_length': -1 });
    const port = await new Promise<number>((resolve, reject) => {
      front.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => {
        if (error === null) resolve(bound);
        else reject(error);
      });
    });
    const target = new TofinoTarget(devices, behind, front, `127.0.0.1:${port}`);
    front.addService(RAW, target.relay(`127.0.0.1:${behind.port}`));
    return target;
  }

  async stop(): Promise<void> {
    this.front.forceShutdown();
    await this.behind.stop();
  }

  private relay(address: string): Record<string, Handler> {
    const channel = new Client(address, credentials.createInsecure());
    const unary =
      (
        name: string,
        change: (bytes: Buffer) => Buffer,
        back = same,
      ): handleUnaryCall<Buffer, Buffer> =>
      (call, callback) => {
        const { path } = method(name);
        channel.makeUnaryRequest(path, same, same, change(call.request), (error, answer) =>
          callback(error, answer && back(answer)),
        );
      };
    const read: handleServerStreamingCall<Buffer, Buffer> = (call) => {
      const { path } = method('Read');
      const stream = channel.makeServerStreamRequest(path, same, same, call.request);
      stream.on('error', (error) => call.emit('error', error));
      stream.on('data', (bytes: Buffer) => call.write(bytes)).on('end', () => call.end());
    };
    const stream: handleBidiStreamingCall<Buffer, Buffer> = (call) => {
      const through = channel.makeBidiStreamRequest(method('StreamChannel').path, same, same);
      call.on('cancelled', () => through.cancel());
      call.on('data', (bytes: Buffer) => through.write(bytes)).on('end', () => through.end());
      through.on('error', (error) => call.emit('error', error));
      through.on('data', (bytes: Buffer) => call.write(bytes)).on('end', () => call.end());
    };
    return {
      Write: unary('Write', same),
      Capabilities: unary('Capabilities', same),
      Read: read,
      StreamChannel: stream,
      SetForwardingPipelineConfig: unary('SetForwardingPipelineConfig', (bytes) =>
        this.#set(bytes),
      ),
      GetForwardingPipelineConfig: unary('GetForwardingPipelineConfig', same, (b) => this.#get(b)),
    };
  }

  #set(bytes: Buffer): Buffer {
    const request = p4.SetForwardingPipelineConfigRequest.deserialize(bytes);
    this.configs.set(request.deviceId, request.config.p4DeviceConfig);
    const program = programOfP4Info(new P4InfoIndex(request.config.p4info));
    request.config.p4DeviceConfig = Uint8Array.from(Buffer.from(program));
    return Buffer.from(request.serialize());
  }

  /** Returns the configuration that was pushed: the answer names no device, but all have the same program. */
  #get(bytes: Buffer): Buffer {
    const answer = p4.GetForwardingPipelineConfigResponse.deserialize(bytes);
    const [came] = this.configs.values();
    if (answer.hasConfig && answer.config.p4DeviceConfig.length > 0 && came !== undefined)
      answer.config.p4DeviceConfig = came;
    return Buffer.from(answer.serialize());
  }
}

type Handler =
  | handleUnaryCall<Buffer, Buffer>
  | handleServerStreamingCall<Buffer, Buffer>
  | handleBidiStreamingCall<Buffer, Buffer>;

const same = (bytes: Buffer): Buffer => bytes;

/** The service of P4Runtime with messages as they are on the wire. */
const RAW: ServiceDefinition = Object.fromEntries(
  Object.entries(p4.UnimplementedP4RuntimeService.definition).map(
    ([name, { path, ...streams }]) => [
      name,
      {
        path,
        requestStream: streams.requestStream,
        responseStream: streams.responseStream,
        requestSerialize: same,
        requestDeserialize: same,
        responseSerialize: same,
        responseDeserialize: same,
      },
    ],
  ),
);

function method(name: string): ServiceDefinition[string] {
  const found = RAW[name];
  if (found === undefined) throw new Error(`P4Runtime has no ${name}`);
  return found;
}

const Client = makeGenericClientConstructor(RAW, 'P4Runtime');
