package org.braid.plan.manage;

final class ArrivalContractTest extends RepairSchedulerContract {
  @Override
  RepairScheduler scheduler() {
    return RepairSchedulers.ARRIVAL;
  }
}
