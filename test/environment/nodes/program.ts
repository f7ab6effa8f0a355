import { loadP4Artifacts } from '../../../common/io/p4-profiles';
import { readInThread } from '../../../switch/io/loading/read-in-thread';

/** Drop port of switches without another one. */
const DROP_PORT = 511;

/** Files of the program that switches run, on the simulated disk. */
export const PROGRAM_FILES = {
  p4info: '/simulated/hpcc.p4info.json',
  config: '/simulated/hpcc.json',
} as const;

let made: { readonly p4info: string; readonly config: string } | undefined;

/**
 * The project's own data plane without its references to source lines, which are three quarters of it:
 * it is sent, compared and read in every run.
 */
export function programTexts(): NonNullable<typeof made> {
  if (made !== undefined) return made;
  const { p4info, deviceConfig } = loadP4Artifacts('hpcc');
  const config = JSON.stringify(JSON.parse(deviceConfig), (key, value: unknown) =>
    key === 'source_info' ? undefined : value,
  );
  return (made = { p4info, config });
}

/**
 * Reads the program before there is virtual time. Switches read it in a thread of its own once per
 * process, and how much of virtual time would pass meanwhile is up to the machine.
 */
export function readProgramOnce(): Promise<void> {
  return readInThread({ json: programTexts().config, dropPort: DROP_PORT });
}
