package org.braid.plan.schedule;

final class ArrivalContractTest extends RepairSchedulerContract {
  @Override
  RepairScheduler scheduler() {
    return RepairSchedulers.ARRIVAL;
  }
}
