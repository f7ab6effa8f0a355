import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { InputError } from '../common/errors';

/** Settings of the HPCC simulator: HPCC with an acknowledgement and telemetry for each packet. */
const SETTINGS: Readonly<Record<string, string>> = {
  ENABLE_QCN: '1',
  USE_DYNAMIC_PFC_THRESHOLD: '1',
  PACKET_PAYLOAD_SIZE: '1000',
  TOPOLOGY_FILE: 'topology.txt',
  FLOW_FILE: 'flows.txt',
  TRACE_FILE: 'trace.txt',
  TRACE_OUTPUT_FILE: 'mix.tr',
  FCT_OUTPUT_FILE: 'fct.txt',
  PFC_OUTPUT_FILE: 'pfc.txt',
  SIMULATOR_STOP_TIME: '3.0',
  CC_MODE: '3',
  ALPHA_RESUME_INTERVAL: '1',
  RATE_DECREASE_INTERVAL: '4',
  CLAMP_TARGET_RATE: '0',
  RP_TIMER: '300',
  EWMA_GAIN: '0.00390625',
  FAST_RECOVERY_TIMES: '1',
  RATE_AI: '50Mb/s',
  RATE_HAI: '50Mb/s',
  MIN_RATE: '1000Mb/s',
  DCTCP_RATE_AI: '1000Mb/s',
  ERROR_RATE_PER_LINK: '0.0000',
  L2_CHUNK_SIZE: '4000',
  L2_ACK_INTERVAL: '1',
  L2_BACK_TO_ZERO: '0',
  HAS_WIN: '1',
  GLOBAL_T: '1',
  VAR_WIN: '1',
  FAST_REACT: '1',
  U_TARGET: '0.95',
  MI_THRESH: '5',
  INT_MULTI: '4',
  MULTI_RATE: '0',
  SAMPLE_FEEDBACK: '0',
  PINT_LOG_BASE: '1.05',
  PINT_PROB: '1.0',
  RATE_BOUND: '1',
  ACK_HIGH_PRIO: '0',
  LINK_DOWN: '0 0 0',
  ENABLE_TRACE: '0',
  KMAX_MAP: '2 100000000000 1600 400000000000 6400',
  KMIN_MAP: '2 100000000000 400 400000000000 1600',
  PMAX_MAP: '2 100000000000 0.2 400000000000 0.2',
  BUFFER_SIZE: '32',
  QLEN_MON_FILE: 'qlen.txt',
  QLEN_MON_START: '9000000000',
  QLEN_MON_END: '9000000001',
};

/**
 * Runs the HPCC simulator on `topology.txt` and `flows.txt` of a folder.
 * @param program its binary, which takes a file of settings.
 * @returns seconds by the clock on the wall, setting up included.
 * @throws InputError when it cannot be run, or leaves no completion times.
 */
export function runSimulator(program: string, folder: string): number {
  const settings = Object.entries(SETTINGS).map(([name, value]) => `${name} ${value}\n`);
  fs.writeFileSync(path.join(folder, 'config.txt'), settings.join(''));
  fs.writeFileSync(path.join(folder, 'trace.txt'), '0\n');
  const startedAt = process.hrtime.bigint();
  try {
    execFileSync(path.resolve(program), ['config.txt'], { cwd: folder, stdio: 'pipe' });
  } catch (error) {
    throw new InputError(`--ns3: cannot run ${program}: ${(error as Error).message}`);
  }
  const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
  const times = path.join(folder, 'fct.txt');
  if (!fs.existsSync(times) || fs.statSync(times).size === 0) {
    throw new InputError(`--ns3: ${program} wrote no completion times; wanted the HPCC simulator`);
  }
  return seconds;
}
