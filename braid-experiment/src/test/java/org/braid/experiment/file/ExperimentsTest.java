package org.braid.experiment.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Fake;
import org.braid.experiment.file.Experiments.Listed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ExperimentsTest {
  @TempDir private Path home;

  private void file(String name, String engine, String title) throws IOException {
    Path path = home.resolve("experiments").resolve(name);
    Files.createDirectories(path.getParent());
    Files.writeString(
        path, "title: %s\nengine: %s\nworkload: repair\nsystems: [a]\n".formatted(title, engine));
  }

  private Experiments experiments() throws ExperimentException {
    return new Experiments(home, new Fake().workloads());
  }

  private String refused(String name) {
    return String.valueOf(
        assertThrows(ExperimentException.class, () -> experiments().named(name, Overrides.NONE))
            .getMessage());
  }

  @Test
  void filesOfOtherEnginesAreNotSeen() throws Exception {
    file("ppr/fig7a.yaml", "[lab, sim]", "both");
    file("ppr/fig8.sim.yaml", "sim", "ours");
    file("ppr/fig8.lab.yaml", "lab", "theirs");
    file("ear/exp1.yaml", "lab", "lab only");
    assertEquals(
        List.of("ppr/fig7a", "ppr/fig8"), experiments().all().stream().map(Listed::id).toList());
    assertEquals("ours", experiments().named("ppr/fig8", Overrides.NONE).title());
    assertEquals(
        "experiments/ear/exp1.yaml:2: is for engine lab: run it with ./braid lab run ear/exp1",
        refused("ear/exp1"));
  }

  @Test
  void aDirectoryWithOneExperimentNamesIt() throws Exception {
    file("conversion/in-place.yaml", "sim", "one");
    file("ppr/fig7a.yaml", "sim", "two");
    file("ppr/fig8.yaml", "sim", "three");
    assertEquals("conversion/in-place", experiments().named("conversion", Overrides.NONE).id());
    assertEquals("\"ppr\" has several experiments, name one: ppr/fig7a, ppr/fig8", refused("ppr"));
    assertEquals(
        "no experiment \"ppr/fig7\" for sim below "
            + home.resolve("experiments")
            + "; did you mean \"ppr/fig7a\" or \"ppr/fig8\"? ./braid sim list shows all",
        refused("ppr/fig7"));
  }

  @Test
  void aWrongFileIsListedWithItsProblem() throws Exception {
    file("ppr/fig7a.yaml", "sim", "[");
    Files.write(home.resolve("experiments/ppr/fig8.yaml"), new byte[] {(byte) 0xff, 'a'});
    List<Listed> all = experiments().all();
    assertEquals(2, all.size());
    assertTrue(all.get(0).experiment().isEmpty());
    assertTrue(
        all.get(0).problem().startsWith("experiments/ppr/fig7a.yaml:"), all.get(0).problem());
    assertEquals("experiments/ppr/fig8.yaml: is not UTF-8 text", all.get(1).problem());
  }

  @Test
  void aHomeWithoutExperimentsIsRefused() {
    assertEquals(
        "no directory "
            + home.resolve("experiments")
            + ": name the one that has it with --home DIR",
        assertThrows(ExperimentException.class, this::experiments).getMessage());
  }
}
