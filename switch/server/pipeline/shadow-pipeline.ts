import { readProgram } from '../../ir/lowering/read-program';
import { ProgramState } from '../../state/program-state';
import { SYSTEM_CLOCK } from '../streams/clock';
import type { ServedSwitch } from '../state/control-faces';
import type { PipelineConfig, RunningPipeline } from '../device';
import { bmv2Json } from './device-config';
import { DigestStreams } from '../streams/digest-streams';
import { EntryNotes } from '../state/entry-notes';
import { IdleTimeouts } from '../streams/idle-timeouts';
import { openInitialTables } from './initial-entries';
import { OneShots } from '../state/one-shots';
import { Replication } from '../replication/replication';
import { Roles } from '../roles/roles';
import { WatchedGroups } from '../state/watched-groups';

/**
 * A pipeline with the state of a program that was just loaded. No packet passes it and nobody hears
 * of it: writes to it show whether they would succeed.
 */
export function shadowPipeline(
  device: ServedSwitch,
  { info, message }: PipelineConfig,
): RunningPipeline {
  const json = bmv2Json(message.p4DeviceConfig);
  const control = device.createPipeline?.(json) ?? new ProgramState(readProgram(json));
  openInitialTables(info, control);
  const watched = new WatchedGroups(new Set());
  const shadow: ServedSwitch = { ...INERT, pipeline: control, ...partsOf(device) };
  return {
    ...{ info, control, device: shadow, replication: new Replication(shadow) },
    ...{ notes: new EntryNotes(), defaults: new Map() },
    ...{ watched, oneShots: new OneShots(watched) },
    digests: new DigestStreams(new Roles(0n, 'specification'), SYSTEM_CLOCK),
    idle: new IdleTimeouts({ clock: SYSTEM_CLOCK, entries: () => [], notify: () => undefined }),
  };
}

const ignore = (): undefined => undefined;
const INERT = { verifyProgram: ignore, loadProgram: ignore };

/** Groups and sessions that go nowhere, where the device has real ones. */
function partsOf(device: ServedSwitch): Pick<ServedSwitch, 'multicast' | 'cloneSessions'> {
  const multicast = { setGroup: ignore, deleteGroup: ignore, groups: () => [] };
  const cloneSessions = { setSession: ignore, deleteSession: ignore, session: ignore };
  return {
    ...(device.multicast && { multicast }),
    ...(device.cloneSessions && { cloneSessions }),
  };
}
