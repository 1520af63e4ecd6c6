package org.braid.hdfs.coordinator.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.ipc.RemoteException;
import org.braid.hdfs.coordinator.session.NameNodeCalls.FilePage;
import org.junit.jupiter.api.Test;

final class PolicyWalkTest {
  private final List<String> refused = new ArrayList<>();
  private final List<String> asked = new ArrayList<>();
  private final Map<String, IOException> failures = new HashMap<>();
  private final PolicyWalk walk = new PolicyWalk((path, why) -> refused.add(path + ": " + why));

  /** Two pages of each path. */
  private FilePage page(String path, Optional<String> after) throws IOException {
    asked.add(path + after.map(last -> " behind " + last).orElse(""));
    IOException failure = failures.get(path);
    if (failure != null) {
      throw failure;
    }
    return new FilePage(List.of(), after.isEmpty() ? Optional.of(path + "/m") : Optional.empty());
  }

  private void next() throws IOException {
    walk.next(this::page, files -> {});
  }

  /** As calls give it, when the NameNode has looked and refuses. */
  private static IOException told(String why) {
    IOException told = new IOException(why);
    told.initCause(new RemoteException(IOException.class.getName(), why));
    return told;
  }

  @Test
  void allPathsAreListedToTheirEnd() throws Exception {
    assertTrue(walk.hasEnded());
    failures.put("/gone", new FileNotFoundException("File does not exist: /gone"));
    walk.begin(List.of("/gone", "/a", "/b"));
    while (!walk.hasEnded()) {
      next();
    }
    assertEquals(List.of("/gone", "/a", "/a behind /a/m", "/b", "/b behind /b/m"), asked);
    assertEquals(List.of(), refused);
  }

  @Test
  void aPathThatTheNameNodeRefusesHoldsNoOtherUp() throws Exception {
    failures.put("/d/.snapshot/s", told("it is in a snapshot"));
    walk.begin(List.of("/d/.snapshot/s", "/a"));
    next();
    assertEquals(List.of("/d/.snapshot/s: it is in a snapshot"), refused);
    next();
    next();
    assertTrue(walk.hasEnded());
    assertEquals(List.of("/d/.snapshot/s", "/a", "/a behind /a/m"), asked);
  }

  /** The next path begins with its first page. */
  @Test
  void aPathMayBeRefusedHalfWay() throws Exception {
    walk.begin(List.of("/a", "/b"));
    next();
    failures.put("/a", told("cannot resume"));
    next();
    next();
    assertEquals(List.of("/a", "/a behind /a/m", "/b"), asked);
  }

  @Test
  void aPathIsAskedForAgainWhenTheNameNodeWasNotReached() throws Exception {
    walk.begin(List.of("/a"));
    next();
    failures.put("/a", new ConnectException("refused"));
    assertThrows(ConnectException.class, this::next);
    assertFalse(walk.hasEnded());
    failures.clear();
    next();
    assertTrue(walk.hasEnded());
    assertEquals(List.of("/a", "/a behind /a/m", "/a behind /a/m"), asked);
    assertEquals(List.of(), refused);
  }

  @Test
  void aWalkBeginsAnew() throws Exception {
    walk.begin(List.of("/a"));
    next();
    walk.begin(List.of("/b"));
    next();
    assertEquals(List.of("/a", "/b"), asked);
    walk.end();
    assertTrue(walk.hasEnded());
  }

  @Test
  void filesThatCouldNotBeTakenComeAgain() throws Exception {
    walk.begin(List.of("/a"));
    next();
    assertThrows(
        ConnectException.class,
        () ->
            walk.next(
                this::page,
                files -> {
                  throw new ConnectException("no stripes");
                }));
    next();
    assertTrue(walk.hasEnded());
    assertEquals(List.of("/a", "/a behind /a/m", "/a behind /a/m"), asked);
  }
}
