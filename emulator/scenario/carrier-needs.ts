import { InputError } from '../../common/errors';
import { formatMappedIpv6 } from '../../common/wire/ip/mapped-ipv6';
import { formatUsidAddress } from '../../common/wire/ip/usid';
import { DEFAULT_CSIG_DOMAIN } from '../../common/wire/csig/csig-domain';
import { CARRIERS } from '../../host-agent/carrier/carriers';
import type { CarrierName } from '../../host-agent/carrier/carriers';
import { IOAM_NAMESPACE } from '../../host-agent/carrier/ioam-carrier';
import type { Profile, TelemetryText } from './data-plane-schema';
import type { ScenarioDocument } from './schema';

/** Requirements of a carrier on switches and controller. */
interface CarrierNeeds {
  /** The program that writes it; absent: any of the others. */
  readonly profile?: Profile;
  /** Telemetry section of the controller's document. */
  readonly telemetry?: TelemetryText;
  /** Part of the telemetry whose plausibility can be judged; absent: all. */
  readonly judged?: 'numbers' | 'nothing';
  /** Hosts have the IPv6 addresses that go with their IPv4 addresses. */
  readonly ipv6?: boolean;
}

const NEEDS: Readonly<Record<CarrierName, CarrierNeeds>> = {
  int: {},
  ioam: {
    profile: 'ioam',
    telemetry: { ioam: { namespaces: [{ id: IOAM_NAMESPACE, hpcc: true }] } },
    ipv6: true,
  },
  ifa: { profile: 'ifa' },
  padding: { profile: 'padding', judged: 'numbers' },
  csig: {
    profile: 'csig',
    telemetry: { csig: { ...DEFAULT_CSIG_DOMAIN } },
    judged: 'nothing',
  },
};

/**
 * Telemetry carrier of a scenario: the one that it names, or the one that its program writes.
 * @throws InputError where switches write another one, or it cannot do what is asked.
 */
export function carrierOf({ profile, switchProfiles, parameters }: ScenarioDocument): CarrierName {
  const written = CARRIERS.find((name) => NEEDS[name].profile === profile);
  const wanted = parameters.carrier ?? written ?? 'int';
  for (const each of [...(profile === 'hpcc' ? [] : [profile]), ...Object.values(switchProfiles)]) {
    const writes = CARRIERS.find((name) => NEEDS[name].profile === each) ?? 'int';
    if (writes === wanted) continue;
    const what = `switches run ${each}, which writes ${writes}`;
    throw new InputError(`${what} (parameters.carrier: ${wanted})`);
  }
  return wanted;
}

/** True if records name their link, and not by an alias. */
export const namesLinks = (scenario: ScenarioDocument): boolean =>
  NEEDS[carrierOf(scenario)].judged === undefined && scenario.telemetry.relative === undefined;

/** Program and telemetry of the switches for the scenario's carrier. */
export function carrierDataPlane(scenario: ScenarioDocument): {
  readonly profile: Profile;
  readonly telemetry: TelemetryText;
} {
  const { profile, telemetry } = NEEDS[carrierOf(scenario)];
  return {
    profile: profile ?? scenario.profile,
    telemetry: { ...telemetry, ...scenario.telemetry },
  };
}

/** The IPv6 address of a host, where it needs one. */
export function ipv6Of(scenario: ScenarioDocument, ipv4: number): string | undefined {
  if (scenario.sourceRouting !== undefined) return formatUsidAddress(ipv4);
  const isNeeded =
    scenario.parameters.ipVersion === 'ipv6' || NEEDS[carrierOf(scenario)].ipv6 === true;
  return isNeeded ? formatMappedIpv6(ipv4) : undefined;
}
