import { parseP4Info } from '../../../common/p4runtime/load-p4info';
import type { Pipeline } from '../../../controller/p4runtime/pipeline';
import { SAMPLE_P4INFO, sampleProgram } from './sample-program';

const PARAMETERS = [
  ['node_id', 32],
  ['capacity_mbps', 32],
  ['queue_unit_bytes', 16],
  ['clock_unit_ns', 16],
  ['mtu', 16],
  ['tx_unit_bytes', 16],
] as const;

/** The sample program with the port record of the real one, which the controller's intent fills. */
export function hpccPipeline(): Pipeline {
  const params = PARAMETERS.map(
    ([name, width], i) => `params { id: ${i + 1} name: "${name}" bitwidth: ${width} }`,
  );
  const text = SAMPLE_P4INFO.replace(
    /name: "egress.set_record" alias: "set_record" }\s*params {[^}]*}/,
    `name: "egress.set_port_record" alias: "set_port_record" } ${params.join(' ')}`,
  );
  const program = sampleProgram();
  const actions = (program['actions'] as readonly { readonly id: number }[]).map((each) =>
    each.id === 6 ? { ...each, name: 'egress.set_port_record', runtime_data: data() } : each,
  );
  const json = JSON.stringify({ ...program, actions });
  return {
    p4info: parseP4Info(Buffer.from(text), 'text'),
    deviceConfig: Uint8Array.from(
      Buffer.from(json.replaceAll('"egress.set_record"', '"egress.set_port_record"')),
    ),
  };
}

function data(): { name: string; bitwidth: number }[] {
  return PARAMETERS.map(([name, bitwidth]) => ({ name, bitwidth }));
}
