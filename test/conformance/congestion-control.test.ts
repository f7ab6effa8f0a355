import { hpccppFactory } from '../../host-agent/algorithm/window-form';
import { describeCongestionControl } from './congestion-control';

describeCongestionControl('HPCC++', hpccppFactory());
describeCongestionControl('HPCC++ with maxStage 0', hpccppFactory({ maxStage: 0 }));
