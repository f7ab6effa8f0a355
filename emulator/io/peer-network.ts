import * as fs from 'node:fs';
import * as path from 'node:path';
import { readTextFile } from '../../common/io/bounded-file';
import { InputError } from '../../common/errors';
import { PS_PER_NS } from '../../common/units/units';
import { isAnalyticalNetwork, parseAnalyticalNetwork } from '../scenario/analytical-network';
import { expandTopology, participantsOf } from '../scenario/expand-topology';
import type { ScenarioDocument } from '../scenario/schema';
import type { PeerRanks } from '../workload/peer/peer-schedule';
import type { PeerNetwork } from '../workload/peer/peer-text';
import { hostsOfRanks } from '../workload/tasks/placement';
import {
  checkedScenario,
  loadScenario,
  loadSimulatorTopology,
  scenarioNameOf,
} from './inputs/scenario-files';
import { scenarioNames } from './inputs/catalogue';
import { STEP_GIVE_UP_US, placementIn, withoutTraffic } from './inputs/workload-scenario';

/** A network for a program that decides what is sent. */
export interface LoadedNetwork {
  readonly scenario: ScenarioDocument;
  readonly ranks: PeerRanks;
  readonly network: PeerNetwork;
}

/**
 * The network of a scenario, of a topology file, or of astra-sim's analytical backend, and the ranks on its hosts.
 * @param placement file that says which rank is on which host.
 * @throws InputError for files that cannot be read, and ranks that do not fit on the hosts.
 */
export function loadPeerNetwork(file: string, placement: string | undefined): LoadedNetwork {
  const base = baseOf(file);
  const { placement: placed } = placementIn(placement);
  const hosts = participantsOf(expandTopology(base.scenario.topology));
  const count = placed.ranks?.length ?? (placed.hosts ?? hosts).length * placed.ranksPerHost;
  const names = hostsOfRanks(placed, count, hosts);
  const rates = new Map(hosts.map(({ name, rateGbps }) => [name, rateGbps]));
  const logical = count === base.size ? base : undefined;
  const { rateGbps, delayNs } = placed.local;
  return {
    scenario: base.scenario,
    ranks: {
      hosts: names,
      local: { rate: rateGbps * 1e9, delay: Math.round(delayNs * PS_PER_NS) },
    },
    network: {
      ranks: count,
      dimensions: logical?.dimensions ?? [count],
      rates: logical?.rates ?? [rates.get(names[0] as string) ?? 0],
    },
  };
}

interface Base {
  readonly scenario: ScenarioDocument;
  /** Ranks of the logical topology, where the file has one. */
  readonly size?: number;
  readonly dimensions?: readonly number[];
  readonly rates?: readonly number[];
}

function baseOf(file: string): Base {
  const text = scenarioNames().includes(file) || !fs.existsSync(file) ? '' : textOf(file);
  if (isAnalyticalNetwork(text)) {
    const { topology, dimensions, rates } = parseAnalyticalNetwork(text, file);
    const name = scenarioNameOf(file);
    const scenario = withTime({ name, title: path.basename(file), topology }, file);
    const size = dimensions.reduce((product, each) => product * each, 1);
    return { scenario, size, dimensions, rates };
  }
  const isTopology = /^\s*\d+[ \t]+\d+/.test(text) || /^\s*(?:#[^\n]*\n\s*)*Nodes\s/.test(text);
  const scenario = isTopology ? loadSimulatorTopology(file) : loadScenario(file);
  return { scenario: withTime(withoutTraffic(scenario), file) };
}

const withTime = (input: object, file: string): ScenarioDocument =>
  checkedScenario({ ...input, giveUpAfterUs: STEP_GIVE_UP_US }, file);

function textOf(file: string): string {
  try {
    return readTextFile(file);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`cannot read ${file}: ${(error as Error).message}`);
  }
}
