package org.braid.lab.namespace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
final class ProcTest {
  @Test
  void machineTimeIsBusyIdleAndStolen() {
    List<String> lines = List.of("cpu  100 20 30 400 50 6 7 80 9 0", "cpu0 1 2 3 4 5 6 7 8 9 0");
    Proc.Machine machine = Proc.machine(lines, 0);
    assertEquals(1.63, machine.busy(), 1e-9);
    assertEquals(4.5, machine.idle(), 1e-9);
    assertEquals(0.8, machine.stolen(), 1e-9);
    assertEquals((1.63 + 0.8) / 6.93, machine.load(), 1e-9);
    assertEquals(0, machine.since(machine).load());
    Proc.Machine courteous = Proc.machine(lines, 1);
    assertEquals(1.43, courteous.busy(), 1e-9);
    assertEquals(4.7, courteous.idle(), 1e-9);
  }

  @Test
  void thisProcessIsFound() {
    long pid = ProcessHandle.current().pid();
    assertTrue(Proc.started(pid).isPresent());
    assertTrue(Proc.cpuSeconds(pid) > 0);
    assertTrue(Proc.memory(pid) > 1 << 20);
    assertTrue(Proc.memoryAvailable() > 1 << 20);
    assertTrue(Proc.started(Integer.MAX_VALUE).isEmpty());
    assertEquals(0, Proc.cpuSeconds(Integer.MAX_VALUE));
  }
}
