import { parseP4Info } from '../../../common/p4runtime/load-p4info';
import * as p4data from '../../../common/p4runtime/generated/p4/v1/p4data';
import * as p4 from '../../../common/p4runtime/generated/p4/v1/p4runtime';
import { idsOf } from './compiled-program';
import { EXTERNS, EXTERNS_P4INFO, EXTERNS_PROGRAM } from './externs-program';
import { action, entry, exact } from './sample-updates';

const id = idsOf(EXTERNS);

/** Numbers of the objects of the externs program, as its P4Info gives them. */
export const EXT = {
  smac: id('ingress.smac'),
  dmac: id('ingress.dmac'),
  known: id('ingress.known'),
  learn: id('ingress.learn'),
  forward: id('ingress.forward'),
  defaultForward: id('ingress.default_forward'),
  flood: id('ingress.flood'),
  toCpu: id('ingress.to_cpu'),
  mirror: id('ingress.mirror'),
  deny: id('ingress.deny'),
  rx: id('ingress.rx'),
  police: id('ingress.police'),
  lastSource: id('ingress.last_source'),
  balance: id('ingress.balance'),
  learnt: id('learnt_t'),
  trustedTypes: id('trusted_types'),
} as const;

type Fields<T extends abstract new (...args: never[]) => unknown> = Exclude<
  ConstructorParameters<T>[0],
  readonly unknown[] | undefined
>;

/** The configuration of the externs program. */
export function externsConfig(program = EXTERNS_PROGRAM): p4.ForwardingPipelineConfig {
  return new p4.ForwardingPipelineConfig({
    p4info: parseP4Info(Buffer.from(EXTERNS_P4INFO), 'text'),
    p4DeviceConfig: Uint8Array.from(Buffer.from(program)),
  });
}

export const index = (value: number | string): p4.Index => new p4.Index({ index: String(value) });

export const count = (packets: number, bytes: number): p4.CounterData =>
  new p4.CounterData({ packetCount: String(packets), byteCount: String(bytes) });

export const counter = (fields: Fields<typeof p4.CounterEntry>): p4.Entity =>
  new p4.Entity({ counterEntry: new p4.CounterEntry({ counterId: EXT.rx, ...fields }) });

export const register = (fields: Fields<typeof p4.RegisterEntry>): p4.Entity =>
  new p4.Entity({ registerEntry: new p4.RegisterEntry({ registerId: EXT.lastSource, ...fields }) });

export const bitstring = (...bytes: number[]): p4data.P4Data =>
  new p4data.P4Data({ bitstring: Uint8Array.from(bytes) });

export const meter = (fields: Fields<typeof p4.MeterEntry>): p4.Entity =>
  new p4.Entity({ meterEntry: new p4.MeterEntry({ meterId: EXT.police, ...fields }) });

export const rates = (cir: number, cburst: number, pir: number, pburst: number): p4.MeterConfig =>
  new p4.MeterConfig({
    cir: String(cir),
    cburst: String(cburst),
    pir: String(pir),
    pburst: String(pburst),
  });

/** An entry of ingress.smac for the source 00:00:00:00:00:<low>. */
export const smac = (low: number, fields: Fields<typeof p4.TableEntry> = {}): p4.Entity =>
  entry({
    tableId: EXT.smac,
    match: [exact(1, Uint8Array.of(low))],
    action: new p4.TableAction({ action: action(EXT.known) }),
    ...fields,
  });

/** An entry of ingress.dmac for the destination 00:00:00:00:00:<low>. */
export const dmac = (
  low: number,
  call: p4.Action,
  fields: Fields<typeof p4.TableEntry> = {},
): p4.Entity => {
  const [value, mask] = [Uint8Array.of(low), Uint8Array.of(255)];
  const ternary = new p4.FieldMatchTernary({ value, mask });
  return entry({
    tableId: EXT.dmac,
    match: [new p4.FieldMatch({ fieldId: 1, ternary })],
    priority: 1,
    action: new p4.TableAction({ action: call }),
    ...fields,
  });
};

export const replica = (port: number, instance: number): p4.Replica =>
  new p4.Replica({ port: Uint8Array.of(port), instance });

const replication = (fields: Fields<typeof p4.PacketReplicationEngineEntry>): p4.Entity =>
  new p4.Entity({ packetReplicationEngineEntry: new p4.PacketReplicationEngineEntry(fields) });

export const multicast = (fields: Fields<typeof p4.MulticastGroupEntry>): p4.Entity =>
  replication({ multicastGroupEntry: new p4.MulticastGroupEntry(fields) });

export const clone = (fields: Fields<typeof p4.CloneSessionEntry>): p4.Entity =>
  replication({ cloneSessionEntry: new p4.CloneSessionEntry(fields) });

/** The value set of trusted ether types, with these members. */
export const trusted = (...types: readonly (readonly number[])[]): p4.Entity => {
  const members = types.map((bytes) => {
    return new p4.ValueSetMember({ match: [exact(1, Uint8Array.from(bytes))] });
  });
  const valueSetEntry = new p4.ValueSetEntry({ valueSetId: EXT.trustedTypes, members });
  return new p4.Entity({ valueSetEntry });
};

export const digest = (fields: Fields<typeof p4.DigestEntryConfig> | undefined): p4.Entity => {
  const config = fields && { config: new p4.DigestEntryConfig(fields) };
  return new p4.Entity({ digestEntry: new p4.DigestEntry({ digestId: EXT.learnt, ...config }) });
};

/** One entity of each kind that the externs program has. */
export const EXTERN_ENTITIES: readonly p4.Entity[] = [
  smac(1, { counterData: count(1, 2), idleTimeoutNs: '5' }),
  dmac(1, action(EXT.forward, Uint8Array.of(1)), { meterConfig: rates(1, 2, 3, 4) }),
  counter({ index: index(1), data: count(1, 2) }),
  meter({ index: index(1), config: rates(1, 2, 3, 4) }),
  register({ index: index(1), data: bitstring(1) }),
  trusted([8, 0], [8, 6]),
  digest({ maxListSize: 1 }),
  multicast({ multicastGroupId: 1, replicas: [replica(1, 1)] }),
  clone({ sessionId: 1, replicas: [replica(1, 1)] }),
];
