import type {
  DigestSample,
  DigestSink,
  EntryId,
  EntryResources,
  MeterSettings,
  ValueSetMember,
} from '../../../switch/control/program-control';
import { readProgram } from '../../../switch/ir/lowering/read-program';
import { ProgramState } from '../../../switch/state/program-state';
import type {
  ControllerPort,
  ServedPipeline,
  ServedSwitch,
} from '../../../switch/server/state/served-switch';
import { entryText } from '../../../switch/server/state/entry-notes';

/** A switch of state alone with every part that a server can use; tests play its packets. */
export class ServedStateSwitch implements ServedSwitch {
  pipeline: StatePipeline | undefined;
  readonly groups = new Map<number, unknown>();
  readonly sessions = new Map<number, unknown>();
  /** Packets that controllers have sent. */
  readonly injected: Uint8Array[] = [];
  private receive: (bytes: Uint8Array) => void = () => undefined;

  readonly multicast = {
    setGroup: (id: number, replicas: unknown): void => void this.groups.set(id, replicas),
    deleteGroup: (id: number): void => void this.groups.delete(id),
    groups: () => [],
  };
  readonly cloneSessions = {
    setSession: (id: number, session: unknown): void => void this.sessions.set(id, session),
    deleteSession: (id: number): void => void this.sessions.delete(id),
    session: () => undefined,
  };
  readonly controllerPort: ControllerPort = {
    inject: (bytes) => void this.injected.push(bytes),
    onPacket: (receive) => {
      this.receive = receive;
    },
  };

  readonly createPipeline = (json: string): StatePipeline => statePipeline(json);

  verifyProgram(json: string): void {
    readProgram(json);
  }

  loadProgram(json: string): void {
    this.pipeline = statePipeline(json);
  }

  /** A packet leaves through the CPU port. */
  packetIn(...bytes: number[]): void {
    this.receive(Uint8Array.from(bytes));
  }
}

export interface StatePipeline extends ServedPipeline {
  /** The data plane has seen something to learn. */
  learn(digest: string, sample: DigestSample): void;
  /** Idle times of all entries, in ns. */
  idleNs: bigint;
}

function statePipeline(json: string): StatePipeline {
  const program = readProgram(json);
  const state = new ProgramState(program);
  let sink: DigestSink = () => undefined;
  const pipeline: StatePipeline = {
    tables: state.tables,
    actionProfiles: state.actionProfiles,
    counters: state.counters,
    registers: state.registers,
    meters: new Map(program.meters.map(({ name }) => [name, meterCells()])),
    valueSets: new Map(program.valueSets.map(({ name }) => [name, valueSet()])),
    entryResources: new Map(
      program.tables.map(({ name }) => [name, entryResources(() => pipeline.idleNs)]),
    ),
    tableAction: (table, action) => state.tableAction(table, action),
    profileAction: (profile, action) => state.profileAction(profile, action),
    action: (id) => state.action(id),
    onDigest: (learn) => {
      sink = learn;
    },
    learn: (digest, sample) => sink(digest, sample),
    idleNs: 0n,
  };
  return pipeline;
}

function meterCells(): {
  settings: (index: number) => MeterSettings | undefined;
  configure: (index: number, settings: MeterSettings | undefined) => void;
} {
  const cells = new Map<number, MeterSettings | undefined>();
  return {
    settings: (index) => cells.get(index),
    configure: (index, settings) => void cells.set(index, settings),
  };
}

function valueSet(): {
  members: () => readonly ValueSetMember[];
  setMembers: (members: readonly ValueSetMember[]) => void;
} {
  let all: readonly ValueSetMember[] = [];
  return {
    members: () => all,
    setMembers: (members) => {
      all = members;
    },
  };
}

function entryResources(idleNs: () => bigint): EntryResources {
  const counts = new Map<string, { packets: number; bytes: number }>();
  const meters = new Map<string, MeterSettings | undefined>();
  return {
    count: (entry: EntryId) => counts.get(entryText(entry)) ?? { packets: 0, bytes: 0 },
    setCount: (entry, count) => void counts.set(entryText(entry), count),
    meterSettings: (entry) => meters.get(entryText(entry)),
    configureMeter: (entry, settings) => void meters.set(entryText(entry), settings),
    idleNs,
    timeToLiveMs: () => 0,
    setTimeToLive: () => undefined,
  };
}
