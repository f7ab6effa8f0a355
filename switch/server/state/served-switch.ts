import type { Replicators } from '../replication/replication';
import type {
  CounterControl,
  DigestSink,
  EntryResources,
  MeterControl,
  RegisterControl,
  ValueSetControl,
} from '../../control/program-control';
import type { PipelineControl, SwitchControl } from '../../control/table-control';

/**
 * Switch interface that the server requires. Without an optional part, the server answers
 * UNIMPLEMENTED for the entities of that part.
 */
export interface ServedSwitch extends SwitchControl, Replicators {
  readonly pipeline: ServedPipeline | undefined;
  /**
   * Does what takes long before a program is verified or loaded, beside the forwarding of packets.
   * Rejects with InputError.
   */
  prepareProgram?(json: string): Promise<void>;
  readonly controllerPort?: ControllerPort;
  /** The state of a program that is not run; for switches whose state is not ProgramState. */
  readonly createPipeline?: (json: string) => ServedPipeline;
}

/** Parts of a program's state that the server uses. */
export interface ServedPipeline extends PipelineControl {
  readonly counters?: ByName<Pick<CounterControl, 'read' | 'write'>>;
  readonly registers?: ByName<Pick<RegisterControl, 'read' | 'write'>>;
  readonly meters?: ByName<Pick<MeterControl, 'settings' | 'configure'>>;
  readonly valueSets?: ByName<Pick<ValueSetControl, 'members' | 'setMembers'>>;
  readonly entryResources?: ByName<EntryResources>;
  onDigest?(learn: DigestSink): void;
}

type ByName<T> = ReadonlyMap<string, T>;

/** The port of packets to and from controllers. */
export interface ControllerPort {
  inject(bytes: Uint8Array): void;
  /** Calls `receive` with every packet that leaves through the port from now on. */
  onPacket(receive: (bytes: Uint8Array) => void): void;
}
