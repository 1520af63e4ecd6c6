package org.braid.hdfs.hadoop;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.braid.hdfs.hadoop.ClassFiles.ClassFile;
import org.braid.hdfs.hadoop.ClassFiles.Member;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** What class files use of Hadoop, held against the Hadoop among this JVM's classes. */
final class HadoopUse {
  private static final String HADOOP = "org/apache/hadoop/";
  private static final String GENERATED = "org/braid/hdfs/proto/";

  // Tags of a class file's constants.
  private static final int CLASS = 7;
  private static final int FIELD = 9;
  private static final int INTERFACE_METHOD = 11;

  private final ClassFiles classes = new ClassFiles();
  private final List<ClassReader> users;
  private final Set<String> own;

  private HadoopUse(List<ClassReader> users) {
    this.users = users;
    own = new TreeSet<>(users.stream().map(ClassReader::getClassName).toList());
  }

  /** What the classes use that stand in one directory or jar with another one. */
  static HadoopUse besides(Class<?> one) throws IOException, URISyntaxException {
    URI place = one.getProtectionDomain().getCodeSource().getLocation().toURI();
    if (Files.isDirectory(Path.of(place))) {
      return new HadoopUse(below(Path.of(place)));
    }
    try (FileSystem jar = FileSystems.newFileSystem(Path.of(place))) {
      return new HadoopUse(below(jar.getPath("/")));
    }
  }

  private static List<ClassReader> below(Path root) throws IOException {
    List<ClassReader> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".class")).sorted().toList()) {
        found.add(new ClassReader(Files.readAllBytes(file)));
      }
    }
    return found;
  }

  /** Number of the classes. */
  int size() {
    return users.size();
  }

  /** What is used and not there, or not to be used from there. */
  Set<String> missing() {
    Set<String> missing = new TreeSet<>();
    for (ClassReader user : users) {
      char[] buffer = new char[user.getMaxStringLength()];
      for (int i = 1; i < user.getItemCount(); i++) {
        int item = user.getItem(i);
        int tag = item == 0 ? 0 : user.readByte(item - 1);
        if (tag == CLASS) {
          checkType(user, user.readUTF8(item, buffer), missing);
        } else if (tag >= FIELD && tag <= INTERFACE_METHOD) {
          int type = user.getItem(user.readUnsignedShort(item + 2));
          String key = user.readUTF8(type, buffer) + ":" + user.readUTF8(type + 2, buffer);
          checkMember(user, user.readClass(item, buffer), key, missing);
        }
      }
    }
    return missing;
  }

  /** Braid has classes in Hadoop's packages, too. */
  private boolean isHadoops(String type) {
    return type.startsWith(HADOOP) && !own.contains(type);
  }

  private void checkType(ClassReader user, String type, Set<String> missing) {
    String element = type.replaceAll("^\\[+L?|;$", "");
    if (!isHadoops(element)) {
      return;
    }
    Optional<ClassFile> found = classes.find(element);
    if (found.isEmpty()) {
      missing.add(element);
    } else if (!isReachable(user, found.get())) {
      missing.add(element + ", which is not public");
    }
  }

  private static boolean isReachable(ClassReader user, ClassFile type) {
    return (type.access() & Opcodes.ACC_PUBLIC) != 0
        || user.getClassName().startsWith(type.inPackage());
  }

  private void checkMember(ClassReader user, String owner, String key, Set<String> missing) {
    if (!isHadoops(owner) && !own.contains(owner)) {
      return;
    }
    Optional<ClassFile> type = classes.find(owner);
    if (type.isEmpty()) {
      return; // the class is missing
    }
    Optional<Member> found = classes.resolve(type.get(), key);
    if (found.isEmpty()) {
      missing.add(owner + "." + key);
    } else if (isHadoops(found.get().owner().name()) && !isUsable(user, found.get())) {
      missing.add(owner + "." + key + ", which is not accessible");
    }
  }

  private boolean isUsable(ClassReader user, Member member) {
    boolean isPublic = (member.access() & Opcodes.ACC_PUBLIC) != 0;
    boolean isPrivate = (member.access() & Opcodes.ACC_PRIVATE) != 0;
    boolean isNeighbour =
        user.getClassName().lastIndexOf('/') + 1 == member.owner().inPackage().length()
            && user.getClassName().startsWith(member.owner().inPackage());
    return isPublic
        || (isNeighbour && !isPrivate)
        || ((member.access() & Opcodes.ACC_PROTECTED) != 0
            && isHeir(user.getClassName(), member.owner()));
  }

  private boolean isHeir(String name, ClassFile ancestor) {
    return classes.lineage(classes.find(name).orElseThrow()).contains(ancestor);
  }

  /**
   * The types that methods of tests have in their signatures and that are not there, by the test.
   * JUnit asks for all methods of a test, private ones, too, before one of them can say that this
   * Hadoop is not for it: no test runs then.
   */
  Set<String> missingForJUnit() {
    Set<String> missing = new TreeSet<>();
    for (ClassReader user : users) {
      String name = user.getClassName();
      if (!name.replaceFirst("\\$.*", "").endsWith("Test")) {
        continue;
      }
      for (String key : classes.find(name).orElseThrow().members().keySet()) {
        int signature = key.indexOf(":(") + 1;
        if (signature > 0) {
          named(Type.getMethodType(key.substring(signature)))
              .filter(type -> isHadoops(type) && classes.find(type).isEmpty())
              .forEach(type -> missing.add(name + ": " + type));
        }
      }
    }
    return missing;
  }

  /** The classes that a method's signature names. */
  private static Stream<String> named(Type method) {
    List<Type> types = new ArrayList<>(List.of(method.getArgumentTypes()));
    types.add(method.getReturnType());
    return types.stream()
        .map(type -> type.getSort() == Type.ARRAY ? type.getElementType() : type)
        .filter(type -> type.getSort() == Type.OBJECT)
        .map(Type::getInternalName);
  }

  /** The abstract methods of Hadoop's types that a class ought to have and has not. */
  Set<String> unimplemented() {
    Set<String> unimplemented = new TreeSet<>();
    for (ClassReader user : users) {
      ClassFile type = classes.find(user.getClassName()).orElseThrow();
      if (type.isAbstract() || type.isInterface()) {
        continue;
      }
      for (ClassFile ancestor : classes.lineage(type)) {
        ancestor.members().entrySet().stream()
            .filter(member -> isHadoops(ancestor.name()))
            .filter(member -> (member.getValue() & Opcodes.ACC_ABSTRACT) != 0)
            .filter(member -> !isImplemented(type, member.getKey()))
            .forEach(member -> unimplemented.add(type.name() + "." + member.getKey()));
      }
    }
    return unimplemented;
  }

  private boolean isImplemented(ClassFile type, String key) {
    return classes.declarations(type, key).stream()
        .anyMatch(member -> (member.access() & Opcodes.ACC_ABSTRACT) == 0);
  }

  /** The methods that override or implement one of Hadoop's: what Hadoop calls. */
  Set<String> overriding() {
    Set<String> overriding = new TreeSet<>();
    for (ClassReader user : users) {
      ClassFile type = classes.find(user.getClassName()).orElseThrow();
      if (type.inPackage().equals(GENERATED)) {
        continue;
      }
      type.members().entrySet().stream()
          .filter(member -> member.getKey().contains(":("))
          .filter(member -> !member.getKey().startsWith("<"))
          .filter(member -> (member.getValue() & (Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE)) == 0)
          .filter(
              member ->
                  classes.declarations(type, member.getKey()).stream()
                      .skip(1)
                      .anyMatch(above -> isHadoops(above.owner().name())))
          .forEach(member -> overriding.add(type.name() + "." + member.getKey()));
    }
    return overriding;
  }
}
