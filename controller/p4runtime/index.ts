/**
 * `hpcc-plus-plus/p4runtime`: a P4Runtime 1.5 client. Everything by name, every value as text or
 * number, one outcome per update; it drives the embedded switch, bmv2 and whatever else speaks
 * P4Runtime. What a switch refuses or a connection breaks is a {@link SwitchError}, what does not fit
 * the P4Info an {@link InputError} before anything is sent. Times are in ms unless a name ends in Ns.
 *
 * @example
 * const client = await P4RuntimeClient.connect({
 *   name: 's1', address: '127.0.0.1:9559', deviceId: 0n, electionId: 1n, deadline: 5000,
 * });
 * await client.becomePrimary();
 * await client.ensurePipeline(await loadPipeline('basic.p4info.txtpb', 'basic.json'));
 *
 * @module p4runtime
 */

// A session with one switch, and one that is kept.
export { P4RuntimeClient } from './client';
export type { ClientOptions, EventOptions } from './client';
export type { ConnectionOptions } from './session/connection';
export type { Role, SessionOptions } from './session/session';
export type { RoleConfig } from './session/role-config';
export { readClientCredentials } from './session/tls';
export type { ClientTlsFiles } from './session/tls';
export { ClientKeeper, DEFAULT_BACK_OFF } from './keeper';
export type { BackOff, KeeperEnd, KeeperEvent, KeeperOptions } from './keeper';

// Programs.
export { compiledPipeline, loadPipeline } from './requests/pipeline';
export type { Pipeline, PipelineAction, PipelineParts, RunningPipeline } from './requests/pipeline';
export { parseP4Info } from '../../common/p4runtime/load-p4info';
export type { P4InfoFormat } from '../../common/p4runtime/load-p4info';

// Entities of switches, and how they are written and read.
export type { EntityUpdate, NamedEntity, UpdateType } from '../entities/named-entity';
export type {
  DigestConfig,
  DigestSettings,
  ExternInstance,
  ValueSet,
} from '../entities/named-entity';
export type { DefaultEntry, EntryExtras, TableEntry } from '../entities/table-entry';
export type { EntryKey, FieldMatch, Match } from '../entities/match';
export type { ActionByName, EntryAction, WeightedAction } from '../entities/action';
export type { ActionProfileGroup, ActionProfileMember, GroupMember } from '../entities/action';
export type { CloneSession, MulticastGroup, Replica, ReplicaPort } from '../entities/replication';
export type {
  CounterCell,
  CounterData,
  DirectCounter,
  DirectMeter,
  MeterCell,
  MeterConfig,
  MeterCounterData,
  RegisterCell,
} from '../entities/stateful-elements';
export type { Data, DataRecord, Value } from '../entities/value';
export { describeEntity, describeUpdate } from '../entities/describe';
export type { EntryWishes, ReadFilter } from './requests/read';
export type {
  Atomicity,
  UpdateCheck,
  UpdateOutcome,
  WriteOptions,
  WriteResult,
} from './requests/write';

// Messages of the stream.
export type { PacketIn, PacketOut } from './session/packet-io';
export type {
  DigestList,
  IdleEntry,
  Standing,
  StreamErrorEvent,
  StreamEvent,
} from './session/stream-event';

// Errors, from the general to the special.
export { InputError } from '../../common/errors';
export {
  NotPrimaryError,
  SwitchError,
  SwitchUnreachableError,
  WriteFailedError,
} from './session/errors';
export type { UpdateFailure } from './session/errors';
