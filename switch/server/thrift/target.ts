/**
 * What the Thrift services need of a switch. Names are those of the compiled program; everything
 * happens at once, between two packets.
 */
export interface ThriftTarget {
  readonly deviceId: number;
  register(name: string): RegisterAccess | undefined;
  counter(name: string): CounterAccess | undefined;
  meter(name: string): MeterAccess | undefined;
  valueSet(name: string): ValueSetAccess | undefined;
  readonly queues: QueueAccess;
  readonly mirroring: MirroringAccess;
  readonly multicast: MulticastAccess;
  readonly interfaces: InterfaceAccess;
  readonly program: ProgramAccess;
  /** Microseconds since the switch started, as in the program's timestamps. */
  elapsedMicroseconds(): bigint;
  /** The same moment by the machine's calendar. */
  epochMicroseconds(): bigint;
}

export interface RegisterAccess {
  readonly size: number;
  read(index: number): bigint;
  /** Keeps the low bits of the value. */
  write(index: number, value: bigint): void;
}

export interface CounterTotals {
  readonly bytes: bigint;
  readonly packets: bigint;
}

export interface CounterAccess {
  readonly size: number;
  read(index: number): CounterTotals;
  write(index: number, totals: CounterTotals): void;
}

/** A token bucket: units are bytes or packets, by the type of the meter. */
export interface TokenBucket {
  readonly unitsPerSecond: number;
  readonly burst: number;
}

export interface MeterRates {
  readonly committed: TokenBucket;
  readonly peak: TokenBucket;
}

export interface MeterAccess {
  readonly size: number;
  /** Undefined while the meter is not configured: then every packet is green. */
  read(index: number): MeterRates | undefined;
  write(index: number, rates: MeterRates): void;
}

export interface ValueSetAccess {
  list(): readonly bigint[];
  /** Width of a value in bits. */
  readonly width: number;
  add(value: bigint): void;
  remove(value: bigint): void;
  clear(): void;
}

/** Which queues a setting is for; what is left out stands for all. */
export interface QueueSelection {
  readonly port?: number;
  readonly priority?: number;
}

/** Both answer false when there is no such queue. */
export interface QueueAccess {
  setDepth(selection: QueueSelection, packets: number): boolean;
  /** A rate of 0 has no limit. */
  setRate(selection: QueueSelection, packetsPerSecond: bigint): boolean;
}

export interface MirroringSession {
  readonly port?: number | undefined;
  readonly multicastGroup?: number | undefined;
}

export interface MirroringAccess {
  get(session: number): MirroringSession | undefined;
  set(session: number, target: MirroringSession): void;
  /** False when there is no such session. */
  delete(session: number): boolean;
}

export interface Copy {
  readonly port: number;
  readonly replicationId: number;
}

export interface MulticastAccess {
  /** Makes or replaces a group. */
  setGroup(group: number, copies: readonly Copy[]): void;
  deleteGroup(group: number): void;
}

export interface InterfaceStatus {
  readonly port: number;
  readonly name: string;
}

export interface InterfaceAccess {
  list(): readonly InterfaceStatus[];
  /** @throws InputError when the interface cannot be attached. */
  add(port: number, name: string): void;
  /** False when the port has no interface. */
  remove(port: number): boolean;
}

export interface ProgramAccess {
  /** The BMv2 JSON that runs; empty when none does. */
  json(): string;
  /** @throws InputError */
  verify(json: string): void;
  /** @throws InputError; then the old program goes on. */
  load(json: string): void;
}
