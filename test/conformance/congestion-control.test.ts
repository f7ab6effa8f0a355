import { hpccppFactory } from '../../host-agent/algorithm/window-form';
import { describeCongestionControl } from './congestion-control';

describeCongestionControl('HPCC++', hpccppFactory());
describeCongestionControl('HPCC++ with maxStage 0', hpccppFactory({ maxStage: 0 }));
describeCongestionControl('HPCC++ for rare samples', hpccppFactory({ latestQueueFrom: 0 }));
describeCongestionControl('HPCC++ in one of two queues', hpccppFactory({ queueShare: 0.5 }));
describeCongestionControl(
  'HPCC++ that believes no nonsense',
  hpccppFactory({ plausibilityLimits: { capacityMax: 400e9, queueBytesMax: 2 ** 24 } }),
);
