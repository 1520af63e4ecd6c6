package org.braid.plan.schedule;

final class LoadBalancingContractTest extends RepairSchedulerContract {
  @Override
  RepairScheduler scheduler() {
    return RepairSchedulers.TOGETHER;
  }
}
