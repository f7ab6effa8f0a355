import type {
  CloneSessionControl,
  MulticastNode,
  MulticastNodeControl,
  QueueControl,
  QueueSelection,
} from '../../control/packet-control';
import type { ProgramControl } from '../../control/program-control';
import type { PipelineControl } from '../../control/table-control';
import type { SharedState } from '../state/running-pipeline';

/** The parts of a running program that Thrift reaches. */
export type ThriftProgram = PipelineControl &
  Pick<
    ProgramControl,
    'registers' | 'counters' | 'meters' | 'valueSets' | 'hashes' | 'entryResources'
  >;

/**
 * Switch interface that the Thrift services require. Names are those of the compiled program; each
 * call takes effect at once, between two packets.
 */
export interface ThriftTarget {
  readonly deviceId: number;
  /** Undefined while no program runs. */
  readonly program: ThriftProgram | undefined;
  readonly queues: QueueControl;
  hasQueue(selection: QueueSelection): boolean;
  readonly cloneSessions: CloneSessionControl;
  readonly multicast: MulticastNodeControl & MulticastListing;
  readonly shared: SharedState;
  readonly interfaces: InterfaceAccess;
  readonly configuration: ConfigurationAccess;
  /** Microseconds since the switch started, as in the program's timestamps. */
  elapsedMicroseconds(): bigint;
  /** The same moment by the machine's calendar. */
  epochMicroseconds(): bigint;
}

/** Contents of the replication engine. */
export interface MulticastListing {
  groups(): Iterable<{ readonly groupId: number }>;
  nodes(): Iterable<readonly [handle: number, node: MulticastNode]>;
  /** Handles of a group's nodes. */
  nodesOf(groupId: number): readonly number[];
  lags(): Iterable<readonly [lag: number, ports: readonly number[]]>;
}

export interface InterfaceStatus {
  readonly port: number;
  readonly name: string;
  /** True if the port has a link. */
  readonly up: boolean;
}

export interface InterfaceAccess {
  list(): readonly InterfaceStatus[];
  /** @throws InputError when the interface cannot be attached. */
  add(port: number, name: string): void;
  /** False when the port has no interface. */
  remove(port: number): boolean;
}

export interface ConfigurationAccess {
  /** The BMv2 JSON that runs; empty when none does. */
  json(): string;
  /** Beside the forwarding of packets; `load` is quick after it. Rejects with InputError. */
  verify(json: string): Promise<void>;
  /** @throws InputError; then the old program goes on. */
  load(json: string): void;
}
