package org.braid.hdfs.datanode.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.ipc.RetriableException;
import org.braid.hdfs.datanode.limits.FragmentPlaces.Place;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

final class FragmentPlacesTest {
  private final FragmentPlaces places = new FragmentPlaces(10, 3);

  private static void assertBusy(String message, Executable call) {
    assertEquals(message, assertThrows(RetriableException.class, call).getMessage());
  }

  @Test
  void oneUserLeavesRoomForOthers() throws Exception {
    List<Place> eves = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      eves.add(places.forUser("eve"));
    }
    assertBusy(
        "3 fragments of eve run already, at most 3 may: try later or raise braid.worker.fragments-per-user",
        () -> places.forUser("eve"));
    try (Place bobs = places.forUser("bob")) {
      eves.get(0).close();
      eves.get(0).close();
      eves.set(0, places.forUser("eve"));
      assertThrows(RetriableException.class, () -> places.forUser("eve"));
    }
  }

  @Test
  void usersTogetherLeaveRoomForRepairs() throws Exception {
    for (int i = 0; i < 5; i++) {
      places.forUser("user" + i);
    }
    assertBusy(
        "5 fragments of users who are no superusers run already, at most 5 may: try later or raise braid.worker.fragments",
        () -> places.forUser("another"));
    for (int i = 0; i < 5; i++) {
      places.forSuperuser();
    }
    assertBusy(
        "10 fragments run already, at most 10 may: try later or raise braid.worker.fragments",
        places::forSuperuser);
  }

  @Test
  void superusersMayTakeAll() throws Exception {
    List<Place> all = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      all.add(places.forSuperuser());
    }
    assertThrows(RetriableException.class, () -> places.forUser("eve"));
    all.forEach(Place::close);
    places.forUser("eve").close();
  }

  @Test
  void noPlacesAreRefused() {
    assertEquals(
        "braid.worker.fragments is 1 and braid.worker.fragments-per-user is 0, needed are 2 and 1 or more",
        assertThrows(IllegalArgumentException.class, () -> new FragmentPlaces(1, 0)).getMessage());
  }
}
