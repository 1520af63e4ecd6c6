package org.braid.hdfs.hadoop;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Classes as their files describe them, found where this JVM finds classes. No class is loaded:
 * what a class lacks to be loaded is not in the way. Names are the internal ones, {@code
 * java/lang/Object}.
 */
final class ClassFiles {
  /** A field or method: {@code name:descriptor}, and its class, with the flags of both. */
  record Member(String key, int access, ClassFile owner) {}

  /** A class: its supertypes and what it declares. */
  record ClassFile(String name, int access, List<String> supertypes, Map<String, Integer> members) {
    boolean isAbstract() {
      return (access & Opcodes.ACC_ABSTRACT) != 0;
    }

    boolean isInterface() {
      return (access & Opcodes.ACC_INTERFACE) != 0;
    }

    String inPackage() {
      return name.substring(0, name.lastIndexOf('/') + 1);
    }
  }

  private final Map<String, Optional<ClassFile>> known = new HashMap<>();
  private final Map<String, List<ClassFile>> lineages = new HashMap<>();

  /** The class of a name, if there is one. */
  Optional<ClassFile> find(String name) {
    return known.computeIfAbsent(name, ClassFiles::load);
  }

  private static Optional<ClassFile> load(String name) {
    try (InputStream file = ClassLoader.getSystemResourceAsStream(name + ".class")) {
      return file == null ? Optional.empty() : Optional.of(describe(new ClassReader(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ClassFile describe(ClassReader reader) {
    Map<String, Integer> members = new LinkedHashMap<>();
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public @Nullable FieldVisitor visitField(
              int access, String name, String descriptor, String signature, Object value) {
            members.put(name + ":" + descriptor, access);
            return null;
          }

          @Override
          public @Nullable MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            members.put(name + ":" + descriptor, access);
            return null;
          }
        },
        ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    Set<String> supertypes = new LinkedHashSet<>();
    if (reader.getSuperName() != null) {
      supertypes.add(reader.getSuperName());
    }
    supertypes.addAll(List.of(reader.getInterfaces()));
    return new ClassFile(
        reader.getClassName(), reader.getAccess(), List.copyOf(supertypes), members);
  }

  /** A class and all its supertypes that there are, superclasses before their interfaces. */
  List<ClassFile> lineage(ClassFile type) {
    return lineages.computeIfAbsent(type.name(), this::ancestors);
  }

  private List<ClassFile> ancestors(String name) {
    Map<String, ClassFile> lineage = new LinkedHashMap<>();
    Deque<String> open = new ArrayDeque<>(List.of(name));
    while (!open.isEmpty()) {
      find(open.remove())
          .filter(next -> lineage.putIfAbsent(next.name(), next) == null)
          .ifPresent(next -> open.addAll(next.supertypes()));
    }
    return List.copyOf(lineage.values());
  }

  /** The member that a class has or inherits. */
  Optional<Member> resolve(ClassFile type, String key) {
    return declarations(type, key).stream().findFirst();
  }

  /** All declarations of a member in a class and its supertypes. */
  List<Member> declarations(ClassFile type, String key) {
    return lineage(type).stream()
        .filter(owner -> owner.members().containsKey(key))
        .map(owner -> new Member(key, owner.members().get(key), owner))
        .toList();
  }
}
